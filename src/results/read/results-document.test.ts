import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ended, JournalBuilder, started } from '../../../testing/journals.js';
import { formatLeftOut } from '../../journal/left-out.js';
import { mergeResults } from '../merge/merge-results.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { openResultsFile } from './open-results.js';

let folder = '';
let merged = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seen-task-runs-'));
  merged = join(folder, 'merged.json');
  path = join(folder, 'changed.json');
  const journal = join(folder, 'out.jsonl');
  const builder = new JournalBuilder({ taskRuns: 1 });
  builder.add(started());
  builder.add(ended());
  await writeFile(journal, builder.text);
  await mergeResults([journal], merged, { force: false });
});

afterAll(() => rm(folder, { recursive: true }));

/** Reads merged results that hold their task run once more, with these differences. */
async function readAgain(difference: Partial<TaskRunRecord>) {
  const results = JSON.parse(await readFile(merged, 'utf8')) as { taskRuns: TaskRunRecord[] };
  const [first] = results.taskRuns;
  if (first) results.taskRuns.push({ ...first, ...difference });
  await writeFile(path, JSON.stringify(results));
  const { taskRuns, leftOut, lostTaskRuns } = await openResultsFile(path);
  const outcomes: string[] = [];
  for await (const { outcome } of taskRuns()) outcomes.push(outcome);
  return { outcomes, lost: lostTaskRuns?.(), parts: leftOut().parts.map(formatLeftOut) };
}

const from = { id: 'evaluation-1', run: 1, runs: 2 };

it.each([
  [{}, 'run 1'],
  [{ from: { ...from, run: 2 } }, 'run 1'],
  // Another run of the task here, but not where it comes from.
  [{ run: 2, runs: 2 }, 'run 2'],
])('a task run that is there again does not count twice: %j', async (difference, run) => {
  expect(await readAgain(difference)).toEqual({
    outcomes: ['passed'],
    lost: 1,
    parts: [`taskRuns[1]: expected another task run, found ${run} of feed once more`],
  });
});

it.each([
  { outcome: 'failed' as const },
  // Not the same run here, but where it comes from.
  { outcome: 'failed' as const, run: 2, runs: 2 },
  { verified: true },
])('a task run that is there again with another verdict is not judged: %j', async (difference) => {
  const { outcomes, lost, parts } = await readAgain(difference);
  expect({ outcomes, lost }).toEqual({ outcomes: ['error'], lost: 1 });
  const found = 'recorded twice, with different outcomes';
  expect(parts[0]).toBe(`taskRuns[0].outcome: expected one outcome, found ${found}`);
  const again = join(folder, 'again.json');
  await mergeResults([path], again, { force: true });
  const { totals, taskRuns } = JSON.parse(await readFile(again, 'utf8'));
  expect(totals.outcomes).toMatchObject({ passed: 0, error: 1 });
  expect(taskRuns).toMatchObject([
    { outcome: 'error', verified: null, failure: { category: 'unknown', message: found } },
  ]);
});

it.each([{ run: 2, from: { ...from, run: 2 } }, { task: 'b' }])(
  'another task run is none: %j',
  async (difference) => {
    expect((await readAgain(difference)).outcomes).toHaveLength(2);
  },
);
