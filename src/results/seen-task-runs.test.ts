import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ended, JournalBuilder, started } from '../../test/support/journal-builder.js';
import { mergeResults } from './merge/merge-results.js';
import { openResults } from './open-results.js';
import type { TaskRunRecord } from './task-run-record.js';

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
async function readAgain(difference: Partial<TaskRunRecord>): Promise<number> {
  const results = JSON.parse(await readFile(merged, 'utf8')) as { taskRuns: TaskRunRecord[] };
  const [first] = results.taskRuns;
  if (first) results.taskRuns.push({ ...first, ...difference });
  await writeFile(path, JSON.stringify(results));
  const { taskRuns } = await openResults(path);
  let count = 0;
  for await (const _ of taskRuns()) count += 1;
  return count;
}

const from = { id: 'evaluation-1', run: 1, runs: 2 };

it.each([
  [{}, 'run 1'],
  [{ outcome: 'failed' as const }, 'run 1'],
  [{ from: { ...from, run: 2 } }, 'run 1'],
  // Another run of the task here, but not where it comes from.
  [{ run: 2, runs: 2 }, 'run 2'],
])('a task run that is told again is damage: %j', async (difference, run) => {
  await expect(readAgain(difference)).rejects.toMatchObject({
    code: 'damaged-results',
    message: `${path} is damaged: task feed, ${run} is there twice`,
  });
});

it.each([{ run: 2, from: { ...from, run: 2 } }, { task: 'b' }])(
  'another task run is none: %j',
  async (difference) => {
    expect(await readAgain(difference)).toBe(2);
  },
);
