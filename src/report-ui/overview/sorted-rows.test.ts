import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../testing/report-samples.js';
import { searchable } from './searchable.js';
import { inOrder, sortedRows } from './sorted-rows.js';
import type { Column } from './view.js';

const report = searchable(
  reportIndex([
    { task: 'task-10', durationMs: 30, cost: 0.1, tokens: { input: 5, output: null } },
    { task: 'task-9', run: 2, outcome: 'failed', message: 'b', durationMs: null },
    { task: 'task-9', run: 1, outcome: 'error', message: 'a', durationMs: 10 },
    { task: 'task-1', outcome: 'timeout', message: 'a', durationMs: 20, calls: 3, source: 1 },
  ]),
);

describe('sortedRows', () => {
  it.each<[Column, boolean, number[]]>([
    ['outcome', true, [1, 3, 2, 0]],
    ['outcome', false, [0, 2, 3, 1]],
    ['task', false, [3, 2, 1, 0]],
    ['task', true, [0, 2, 1, 3]],
    ['run', true, [1, 3, 2, 0]],
    ['source', true, [3, 2, 1, 0]],
    ['message', false, [3, 2, 1, 0]],
    ['message', true, [1, 3, 2, 0]],
    ['duration', false, [2, 3, 0, 1]],
    ['duration', true, [0, 3, 2, 1]],
    ['calls', true, [3, 2, 1, 0]],
    ['tokens', false, [0, 3, 2, 1]],
    ['cost', true, [0, 3, 2, 1]],
  ])('by %s, descending: %j, with what is not known at the end', (column, descending, rows) => {
    expect(sortedRows(report, { column, descending })).toEqual(rows);
  });
});

describe('inOrder', () => {
  it('leaves out what is not shown', () => {
    expect(inOrder([3, 1, 2, 0], [0, 2, 3])).toEqual([3, 2, 0]);
  });
});
