import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../../testing/report-samples.js';
import { findMatchingRows, pickInOrder, sortRows } from './overview.js';
import { makeSearchable } from './searchable.js';
import { type Column, type View, wholeView } from './view.js';

const report = makeSearchable(
  reportIndex(
    [
      { task: 'Create pod', run: 1, tools: ['kube/pods_list'] },
      { task: 'Create pod', run: 2, outcome: 'failed', message: 'exit code 1' },
      { task: 'list nodes', outcome: 'error', category: 'server-failed', tools: ['files/read'] },
      { task: 'list nodes', source: 1, outcome: 'timeout', tools: ['kube/nodes', 'files/read'] },
    ],
    {
      'Create pod': { difficulty: 'hard', labels: { area: 'pods' } },
      'list nodes': { difficulty: 'easy', labels: { area: 'nodes', constructor: 'x' } },
    },
  ),
);

describe('findMatchingRows', () => {
  it.each<[Partial<View>, number[]]>([
    [{}, [0, 1, 2, 3]],
    [{ outcomes: ['failed', 'timeout'] }, [1, 3]],
    [{ difficulty: 'hard' }, [0, 1]],
    [{ difficulty: 'none such' }, []],
    [{ label: 'area=nodes' }, [2, 3]],
    [{ label: 'constructor=x' }, [2, 3]],
    [{ server: 'kube' }, [0, 3]],
    [{ tool: 'files/read' }, [2, 3]],
    [{ tool: 'files/read', server: 'kube' }, []],
    [{ source: 1 }, [3]],
    [{ text: 'POD' }, [0, 1]],
    [{ text: ' code  pod ' }, [1]],
    [{ text: 'server-failed' }, [2]],
    [{ text: 'nothing like it' }, []],
    [{ source: 0, difficulty: 'easy', outcomes: ['error'] }, [2]],
  ])('a view with %j shows the task runs %j', (changes, rows) => {
    expect(findMatchingRows(report, { ...wholeView, ...changes })).toEqual(rows);
  });
});

describe('findMatchingRows of a matrix', () => {
  const matrix = makeSearchable(
    reportIndex([
      { variant: 'fast-agent' },
      { variant: 'slow-agent' },
      { variant: 'fast-agent', source: 1 },
    ]),
  );

  it.each<[Partial<View>, number[]]>([
    [{ variant: 'fast-agent' }, [0, 2]],
    [{ variant: 'fast-agent', source: 1 }, [2]],
    [{ variant: 'none such' }, []],
    [{ text: 'SLOW-ag' }, [1]],
  ])('a view with %j shows the task runs %j', (changes, rows) => {
    expect(findMatchingRows(matrix, { ...wholeView, ...changes })).toEqual(rows);
  });
});

const unsorted = makeSearchable(
  reportIndex([
    { task: 'task-10', durationMs: 30, cost: 0.1, tokens: { input: 5, output: null } },
    { task: 'task-9', run: 2, outcome: 'failed', message: 'b', durationMs: null },
    { task: 'task-9', run: 1, outcome: 'error', message: 'a', durationMs: 10 },
    { task: 'task-1', outcome: 'timeout', message: 'a', durationMs: 20, calls: 3, source: 1 },
  ]),
);

describe('sortRows', () => {
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
  ])(
    'sorts task runs by %s (descending: %j), with unknown values last',
    (column, descending, rows) => {
      expect(sortRows(unsorted, { column, descending })).toEqual(rows);
    },
  );
});

describe('pickInOrder', () => {
  it('picks the shown rows in the order of the sorted list', () => {
    expect(pickInOrder([3, 1, 2, 0], [0, 2, 3])).toEqual([3, 2, 0]);
  });
});
