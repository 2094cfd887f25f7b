import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anyTaskRun,
  callRecord,
  resultsOf,
  taskRunRecord,
  textOf,
} from '../../testing/task-run-records.js';
import { openResultsFile } from '../results/read/open-results.js';
import {
  type AssertionRecord,
  findContradiction,
  type TaskRunRecord,
} from '../results/task-run-record.js';
import { writeMcpchecker } from './mcpchecker.js';
import { poolFile } from './reporter.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-mcpchecker-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Written as mcpchecker would, and read again. */
async function thereAndBack(taskRuns: readonly TaskRunRecord[]) {
  const path = join(folder, 'results.json');
  await writeFile(path, await textOf(writeMcpchecker(poolFile(resultsOf(taskRuns)))));
  const results = await openResultsFile(path);
  const read: TaskRunRecord[] = [];
  for await (const taskRun of results.taskRuns()) read.push(taskRun);
  return { header: results.header, read };
}

/** One for each key, which is all that mcpchecker has. */
function byName(assertions: readonly AssertionRecord[]): Map<string, boolean> {
  const held = new Map<string, boolean>();
  for (const { name, passed } of assertions) held.set(name, passed && (held.get(name) ?? true));
  return held;
}

function essence({ task, run, outcome, output, assertions, calls, difficulty }: TaskRunRecord) {
  return {
    task,
    run,
    difficulty,
    output,
    // It has no word for it, and neither is a verdict.
    outcome: outcome === 'cancelled' ? 'error' : outcome,
    assertions: byName(assertions),
    calls: calls.map(({ call, kind, server, name, args, isError, result, tokens }) => {
      return { call, kind, server, name, args, isError, result, tokens };
    }),
  };
}

/** JSON has no halves of pairs when it is written as UTF-8. */
const wellFormed = (taskRun: TaskRunRecord): TaskRunRecord =>
  JSON.parse(Buffer.from(JSON.stringify(taskRun)).toString());

describe('mcpcheckerReport', () => {
  it('keeps what a judge said, also in results that were its own', async () => {
    const path = join(folder, 'theirs.json');
    const judged = { type: 'llmJudge', success: true, message: 'it says so' };
    const theirs = {
      ...{ taskName: 'a', taskPassed: true, taskJudgeReason: 'it says so' },
      allAssertionsPassed: true,
      verifyOutput: { Success: true, Steps: [judged] },
    };
    await writeFile(path, JSON.stringify({ results: [theirs] }));
    const text = await textOf(writeMcpchecker(poolFile(await openResultsFile(path))));
    expect(JSON.parse(text).results).toMatchObject([theirs]);
  });

  it('is read again with the same verdicts, calls and assertions', async () => {
    // A reader takes no pass that contradicts itself.
    const consistent = anyTaskRun
      .map(wellFormed)
      .filter((taskRun) => findContradiction(taskRun) === undefined);
    const taskRuns = fc.uniqueArray(consistent, {
      selector: ({ task, run }) => JSON.stringify([task, run]),
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(taskRuns, async (all) => {
        const { read } = await thereAndBack(all);
        expect(read.map(essence)).toEqual(all.map(essence));
      }),
    );
  });

  it('keeps what took part', async () => {
    const { header } = await thereAndBack([taskRunRecord()]);
    expect(header).toMatchObject({
      kind: 'mcpchecker',
      agent: { name: 'scripted', type: 'scripted' },
    });
  });

  it('takes values that are nested deeper than can be written by recursion', async () => {
    const deep: unknown = JSON.parse(`${'['.repeat(30_000)}7${']'.repeat(30_000)}`);
    const { read } = await thereAndBack([
      taskRunRecord({ calls: [callRecord({ args: { deep, more: [1, null, 'x'] } })] }),
    ]);
    const args: unknown = read[0]?.calls[0]?.args;
    let value = args instanceof Object && 'deep' in args ? args.deep : undefined;
    for (let depth = 0; depth < 30_000; depth++) value = Array.isArray(value) ? value[0] : value;
    expect(value).toBe(7);
  });
});
