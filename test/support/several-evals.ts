import { existsSync } from 'node:fs';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { type ScratchSuite, it as scratchIt } from './scratch-suite.js';
import { type SuiteParts, suiteFiles } from './suite-parts.js';

type MakeEvals = (evals: Record<string, SuiteParts>) => Promise<ScratchSuite>;

/** Tests with several suites below one folder: each in the folder of its name, with its eval.yaml. */
export const it = scratchIt.extend<{ makeEvals: MakeEvals }>({
  makeEvals: async ({ makeSuite }, use) => {
    await use(async (evals) => {
      const root = await makeSuite({ tasks: {} });
      for (const [name, parts] of Object.entries(evals)) {
        for (const [file, text] of Object.entries(suiteFiles(parts))) {
          const own = file === 'eval.yaml' ? withName(text, name) : text;
          await root.write(`evals/${name}/${file}`, own);
        }
      }
      return root;
    });
  },
});

function withName(text: string, name: string): string {
  return JSON.stringify({ ...JSON.parse(text), metadata: { name } }, undefined, 2);
}

/** `task outcome` of every task run; undefined: there are no results. */
export async function outcomesOf(
  suite: ScratchSuite,
  name: string,
  file = `proctor-${name}-out.json`,
): Promise<string[] | undefined> {
  if (!existsSync(suite.path(file))) return undefined;
  const { taskRuns } = JSON.parse(await suite.read(file)) as { taskRuns: TaskRunResult[] };
  return taskRuns.map(({ task, outcome }) => `${task} ${outcome}`);
}

/** The lines of the closing report, without the heading. */
export function closingOf(output: string): string[] {
  const [, closing = ''] = output.split('\nEvals\n');
  return closing
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}
