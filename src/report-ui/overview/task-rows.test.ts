import { describe, expect, it } from 'vitest';
import { type IndexedRun, reportIndex } from '../../../testing/report-samples.js';
import { makeSearchable } from './searchable.js';
import { filterTaskRows, makeTaskRows } from './task-rows.js';
import type { TaskOrder } from './view.js';

function rowsOf(runs: readonly IndexedRun[], shown: readonly number[], order: TaskOrder = 'name') {
  const report = makeSearchable(reportIndex(runs));
  return makeTaskRows(report, shown, order).map((row) => ({
    ...row,
    name: report.index.tasks[row.task]?.name,
  }));
}

describe('makeTaskRows', () => {
  it('a run stays in its column when others are filtered out', () => {
    const runs = [3, 1, 2].map((run) => ({ run }));
    expect(rowsOf(runs, [0, 1, 2])[0]?.cells).toEqual([1, 2, 0]);
    expect(rowsOf(runs, [0])[0]?.cells).toEqual([undefined, undefined, 0]);
  });

  it('runs of pooled files with the same number have a column each', () => {
    expect(rowsOf([{ run: 1 }, { run: 1 }], [0, 1])[0]?.cells).toEqual([0, 1]);
  });

  it('a task has a row with its own rate for each set', () => {
    const rows = rowsOf([{}, { source: 1, outcome: 'failed' }], [0, 1]);
    expect(rows).toMatchObject([
      { set: 0, rate: 1 },
      { set: 1, rate: 0 },
    ]);
  });

  it('the rows of a task are together at the place of the first one', () => {
    const runs: IndexedRun[] = [
      { task: 'a', variant: 'fast' },
      { task: 'b', variant: 'fast' },
      { task: 'a', variant: 'slow' },
      { task: 'b', variant: 'slow', outcome: 'failed' },
    ];
    const rows = rowsOf(runs, [0, 1, 2, 3], 'rate');
    expect(rows.map(({ name, set }) => `${name} ${set}`)).toEqual(['b 0', 'b 1', 'a 0', 'a 1']);
  });

  it.each<[TaskOrder, string[]]>([
    ['name', ['task-2', 'task-10', 'task-11']],
    ['rate', ['task-10', 'task-2', 'task-11']],
    ['duration', ['task-2', 'task-11', 'task-10']],
    ['tokens', ['task-10', 'task-2', 'task-11']],
  ])('tasks are sorted by %s, with unknown values last', (order, names) => {
    const runs: IndexedRun[] = [
      { task: 'task-10', outcome: 'failed', tokens: { input: 1, output: 1 } },
      { task: 'task-2', durationMs: 20 },
      { task: 'task-11', outcome: 'error', durationMs: 10 },
    ];
    expect(rowsOf(runs, [0, 1, 2], order).map(({ name }) => name)).toEqual(names);
  });
});

describe('the row of a task', () => {
  it('a task is flaky if some of its judged runs passed and some did not', () => {
    const flaky = (...outcomes: NonNullable<IndexedRun['outcome']>[]) => {
      const runs = outcomes.map((outcome, place) => ({ run: place + 1, outcome }));
      return rowsOf(runs, [...runs.keys()])[0]?.flaky;
    };
    expect(flaky('passed', 'failed')).toBe(true);
    expect(flaky('passed', 'timeout')).toBe(true);
    expect(flaky('passed', 'error')).toBe(false);
    expect(flaky('failed', 'failed')).toBe(false);
  });

  it('a task keeps its rate when some of its runs are shown, and is hidden when none is', () => {
    const runs: IndexedRun[] = [
      { task: 'a', run: 1 },
      { task: 'a', run: 2, outcome: 'failed' },
      { task: 'b', run: 1 },
    ];
    const shown = filterTaskRows(rowsOf(runs, [0, 1, 2]), [1]);
    expect(shown).toMatchObject([{ cells: [undefined, 1], passed: 1, judged: 2, rate: 0.5 }]);
  });
});
