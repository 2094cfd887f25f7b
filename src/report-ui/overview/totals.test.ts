import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../../testing/report-samples.js';
import { clusteredInterval } from '../../base/statistics/intervals.js';
import { makeSearchable } from './searchable.js';
import { makeTaskRows } from './task-rows.js';
import { countFailingAssertions, groupFailures, sumTotals } from './totals.js';

function totals(...[runs]: Parameters<typeof reportIndex>) {
  const report = makeSearchable(reportIndex(runs));
  const rows = [...runs.keys()];
  return sumTotals(report, rows, makeTaskRows(report, rows, 'name'));
}

describe('sumTotals', () => {
  it('the pass rate leaves out errors and cancelled task runs', () => {
    const found = totals([
      { task: 'a' },
      { task: 'a', run: 2, outcome: 'failed', category: 'assertion-failed' },
      { task: 'b', outcome: 'timeout', category: 'timeout' },
      { task: 'b', run: 2, outcome: 'error', category: 'server-failed' },
      { task: 'c', outcome: 'cancelled', category: 'cancelled' },
      { task: 'd', outcome: 'failed', category: 'assertion-failed' },
    ]);
    const interval = clusteredInterval([
      { passed: 1, judged: 2 },
      { passed: 0, judged: 1 },
      { passed: 0, judged: 1 },
    ]);
    expect(found).toMatchObject({ count: 6, tasks: 4, passed: 1, judged: 4, rate: 0.25 });
    expect({ low: found.low, high: found.high }).toEqual(interval);
    expect(found.categories).toEqual([
      { category: 'assertion-failed', count: 2 },
      { category: 'server-failed', count: 1 },
    ]);
  });

  it('there is no pass rate where nothing was judged', () => {
    const nothing = { passed: 0, judged: 0, rate: null, low: null, high: null };
    expect(totals([{ outcome: 'error' }, { run: 2, outcome: 'cancelled' }])).toMatchObject(nothing);
    expect(totals([])).toMatchObject(nothing);
  });

  it('totals sum the amounts that are reported, and count how many are', () => {
    const known = totals([
      { durationMs: 30, calls: 2, tokens: { input: 10, output: null }, cost: 0.5 },
      { run: 2, durationMs: 10, calls: 3, tokens: { input: 5, output: null } },
      { run: 3 },
    ]);
    expect(known).toMatchObject({
      durations: { p50: 10, p95: 30 },
      calls: 5,
      tokens: { input: 15, output: 0, reported: 2 },
      cost: { sum: 0.5, reported: 1 },
    });
    expect(totals([{}])).toMatchObject({ durations: null, tokens: null, cost: null });
  });

  it('pass@k and pass^k are over the same tasks for every k', () => {
    const runs = [
      { task: 'a', run: 1 },
      { task: 'a', run: 2, outcome: 'failed' as const },
      { task: 'b', run: 1 },
      { task: 'b', run: 2 },
    ];
    expect(totals(runs).passWithK).toEqual([{ k: 2, any: 1, all: 0.5, tasks: 2 }]);
    // No task is left out: one that ran once leaves nothing to say of two runs.
    expect(totals([...runs, { task: 'c', run: 1 }]).passWithK).toEqual([]);
  });

  it('the runs of a task are one cluster across variants', () => {
    const runs = ['fast', 'slow'].flatMap((variant) => [
      { task: 'a', variant },
      {
        task: 'b',
        variant,
        outcome: variant === 'fast' ? ('passed' as const) : ('failed' as const),
      },
    ]);
    const { low, high } = totals(runs);
    expect({ low, high }).toEqual(
      clusteredInterval([
        { passed: 2, judged: 2 },
        { passed: 1, judged: 2 },
      ]),
    );
    expect(totals(runs).rated).toEqual({ tasks: 2, tasksPassed: 1 });
  });

  it('re-runs are in no rate and no count, but in tokens and cost', () => {
    const found = totals([
      { outcome: 'failed', calls: 1 },
      { counts: false, calls: 2 },
    ]);
    expect(found).toMatchObject({ count: 1, leftOut: 1, passed: 0, judged: 1, calls: 3 });
    expect(found.outcomes).toMatchObject({ passed: 0, failed: 1 });
  });

  it('the pass rate is over all outcomes where only some are shown', () => {
    const report = makeSearchable(reportIndex([{}, { run: 2, outcome: 'failed' }]));
    const found = sumTotals(report, [1], makeTaskRows(report, [0, 1], 'name'));
    expect(found).toMatchObject({ count: 1, passed: 1, judged: 2, rate: 0.5 });
  });
});

it('failures are grouped by reason, the most frequent first', () => {
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
  const report = makeSearchable(reportIndex(runs));
  const groups = groupFailures(report, [...runs.keys()]);
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
  expect(countFailingAssertions(groups)).toEqual([
    ['callOrder', 3],
    ['toolsUsed', 1],
  ]);
});
