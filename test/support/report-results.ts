import { open } from 'node:fs/promises';
import { resultsSchemaName } from '../../src/results/schema/results-schema.js';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { generatedTaskRun, generatedTools } from '../../testing/report-samples.js';

interface GeneratedResults {
  id?: string;
  tasks?: number;
  runs?: number;
  /** Of every task run. */
  calls?: number;
  passing?: number;
  /** Names of the variants of a matrix, each of which does all of it. */
  variants?: readonly string[];
  /** What to make of a task run before it is written. */
  change?: (taskRun: TaskRunResult) => unknown;
}

/** Writes results as a check would have, one task run in memory at a time. */
export async function writeGeneratedResults(
  file: string,
  options: GeneratedResults = {},
): Promise<void> {
  const { tasks = 6, runs = 5, calls = 4, passing = 70, change = (taskRun) => taskRun } = options;
  const { id = 'generated-1', variants = [] } = options;
  const doers = variants.length > 0 ? variants : [null];
  const handle = await open(file, 'w');
  try {
    const header = headerOf(id, tasks * runs * doers.length, variants);
    await handle.appendFile(`${header},"taskRuns":[`);
    let lines: string[] = [];
    const flush = async () => {
      await handle.appendFile(lines.join(''));
      lines = [];
    };
    for (let task = 0; task < tasks; task += 1) {
      for (let run = 1; run <= runs; run += 1) {
        for (const [place, variant] of doers.entries()) {
          const made = generatedTaskRun({ task, run, runs, calls, passing });
          const taskRun = change({ ...made, variant });
          const separator = task === 0 && run === 1 && place === 0 ? '\n' : ',\n';
          lines.push(
            `${separator}${typeof taskRun === 'string' ? taskRun : JSON.stringify(taskRun)}`,
          );
        }
      }
      if (lines.length >= 100) await flush();
    }
    await flush();
    await handle.appendFile('\n]}\n');
  } finally {
    await handle.close();
  }
}

function headerOf(id: string, planned: number, variants: readonly string[]): string {
  const none = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  const header = {
    schema: resultsSchemaName,
    proctor: '0.1.0',
    id,
    eval: { name: 'pets', file: 'eval.yaml' },
    journal: 'out.jsonl',
    startedAt: '2026-01-01T12:00:00.000Z',
    durationMs: 60_000,
    agent: variants.length > 0 ? null : { name: 'scripted', type: 'scripted', model: 'none' },
    ...(variants.length > 0 && {
      variants: variants.map((name) => ({
        name,
        agent: { name: `agent of ${name}`, type: 'scripted', model: `model of ${name}` },
      })),
    }),
    judge: null,
    mcpServers: [{ name: 'pets', transport: 'stdio', tools: generatedTools }],
    options: {},
    environment: { node: 'v22.0.0', platform: 'linux', arch: 'x64' },
    finished: true,
    interrupted: false,
    bailed: false,
    resumed: 0,
    totals: {
      planned,
      notRun: 0,
      tasks: 0,
      outcomes: { passed: 0, failed: 0, timeout: 0, error: 0, cancelled: 0 },
      byDifficulty: {},
      byLabel: {},
      calls: none,
      usage: null,
      cost: null,
      judge: { usage: null, cost: null },
    },
    warnings: [],
  };
  return JSON.stringify(header).slice(0, -1);
}
