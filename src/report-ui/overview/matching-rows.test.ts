import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../testing/report-samples.js';
import { matchingRows } from './matching-rows.js';
import { searchable } from './searchable.js';
import { type View, wholeView } from './view.js';

const report = searchable(
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

describe('matchingRows', () => {
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
  ])('shows of %j the task runs %j', (changes, rows) => {
    expect(matchingRows(report, { ...wholeView, ...changes })).toEqual(rows);
  });
});

describe('matchingRows of a matrix', () => {
  const matrix = searchable(
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
  ])('shows of %j the task runs %j', (changes, rows) => {
    expect(matchingRows(matrix, { ...wholeView, ...changes })).toEqual(rows);
  });
});
