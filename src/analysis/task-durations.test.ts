import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resultsHeader, taskRunRecord } from '../../testing/task-run-records.js';
import type { TaskRunRecord } from '../results/task-run-record.js';
import { computeTaskDurations } from './task-durations.js';

async function durationsOf(...all: Partial<TaskRunRecord>[]): Promise<Record<string, number>> {
  const file = {
    path: 'out.json',
    header: resultsHeader(),
    taskRuns: () => records(),
    leftOut: () => ({ count: 0, parts: [] }),
  };
  async function* records() {
    for (const each of all) yield taskRunRecord(each);
  }
  async function* pooled() {
    for await (const taskRun of records()) yield { file, taskRun };
  }
  return Object.fromEntries(
    await computeTaskDurations({ files: [file], taskRuns: () => pooled() }),
  );
}

describe('taskDurations', () => {
  it('are the means over the runs of each task', async () => {
    const durations = await durationsOf(
      { task: 'a', durationMs: 1000 },
      { task: 'b', durationMs: 5 },
      { task: 'a', durationMs: 2001, outcome: 'failed' },
      { task: 'a', durationMs: 3000, outcome: 'timeout' },
    );
    expect(durations).toEqual({ a: 2000 + 1 / 3, b: 5 });
  });

  it('leave out what was not judged or is not known', async () => {
    const durations = await durationsOf(
      { task: 'a', durationMs: 1, outcome: 'error' },
      { task: 'a', durationMs: 9, outcome: 'cancelled' },
      { task: 'b', durationMs: null },
      { task: 'c', durationMs: 4, outcome: 'error' },
      { task: 'c', durationMs: 8 },
    );
    expect(durations).toEqual({ c: 8 });
  });

  it('do not depend on the order of the task runs', async () => {
    const runs = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(runs, async (all) => {
        const taskRuns = all.map((durationMs) => ({ durationMs }));
        const reversed = [...taskRuns].reverse();
        expect(await durationsOf(...reversed)).toEqual(await durationsOf(...taskRuns));
      }),
    );
  });
});
