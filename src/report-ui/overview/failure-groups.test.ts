import { expect, it } from 'vitest';
import { reportIndex } from '../../testing/report-samples.js';
import { failingAssertions, failureGroups } from './failure-groups.js';
import { searchable } from './searchable.js';

it('puts task runs together that failed for the same reason, the most frequent first', () => {
  const failed = (task: string, run: number, message: string) =>
    ({ task, run, outcome: 'failed', category: 'assertion-failed', message }) as const;
  const runs = [
    { task: 'feed' },
    failed('feed', 2, 'toolsUsed: feed was not called'),
    failed('walk', 1, 'callOrder: b before a'),
    failed('walk', 2, 'callOrder: b before a'),
    failed('wash', 1, 'callOrder: b before a'),
    {
      task: 'wash',
      run: 2,
      outcome: 'cancelled',
      category: 'cancelled',
      message: 'stopped',
    } as const,
  ];
  const report = searchable(reportIndex(runs));
  const groups = failureGroups(report, [...runs.keys()]);
  expect(groups).toEqual([
    {
      category: 'assertion-failed',
      message: 'callOrder: b before a',
      rows: [2, 3, 4],
      tasks: [1, 2],
    },
    {
      category: 'assertion-failed',
      message: 'toolsUsed: feed was not called',
      rows: [1],
      tasks: [0],
    },
  ]);
  expect(failingAssertions(groups)).toEqual([
    ['callOrder', 3],
    ['toolsUsed', 1],
  ]);
});
