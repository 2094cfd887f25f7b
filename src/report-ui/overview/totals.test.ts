import { describe, expect, it } from 'vitest';
import { reportIndex } from '../../../test/support/report-index.js';
import { clusteredInterval } from '../../base/statistics/intervals.js';
import { searchable } from './searchable.js';
import { taskRows } from './task-rows.js';
import { totalsOf } from './totals.js';

function totals(...[runs]: Parameters<typeof reportIndex>) {
  const report = searchable(reportIndex(runs));
  const rows = [...runs.keys()];
  return totalsOf(report, rows, taskRows(report, rows, 'name'));
}

describe('totalsOf', () => {
  it('leaves errors and what was cancelled out of the rate', () => {
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

  it('has no rate where nothing was judged', () => {
    const nothing = { passed: 0, judged: 0, rate: null, low: null, high: null };
    expect(totals([{ outcome: 'error' }, { run: 2, outcome: 'cancelled' }])).toMatchObject(nothing);
    expect(totals([])).toMatchObject(nothing);
  });

  it('sums what is known, and says nothing of the rest', () => {
    const known = totals([
      { durationMs: 30, calls: 2, tokens: { input: 10, output: null }, cost: 0.5 },
      { run: 2, durationMs: 10, calls: 3, tokens: { input: 5, output: null } },
      { run: 3 },
    ]);
    expect(known).toMatchObject({
      durations: { p50: 10, p95: 30 },
      calls: 5,
      tokens: { input: 15, output: 0, told: 2 },
      cost: { sum: 0.5, told: 1 },
    });
    expect(totals([{}])).toMatchObject({ durations: null, tokens: null, cost: null });
  });

  it('tells what to expect of several runs, over the same tasks for every number of them', () => {
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

  it('takes the runs of a task for one cluster, whichever variants did them', () => {
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

  it('leaves re-runs out of rate and counts, and has them in what was spent', () => {
    const found = totals([
      { outcome: 'failed', calls: 1 },
      { counts: false, calls: 2 },
    ]);
    expect(found).toMatchObject({ count: 1, leftOut: 1, passed: 0, judged: 1, calls: 3 });
    expect(found.outcomes).toMatchObject({ passed: 0, failed: 1 });
  });

  it('has the rate of all outcomes where only some are shown', () => {
    const report = searchable(reportIndex([{}, { run: 2, outcome: 'failed' }]));
    const found = totalsOf(report, [1], taskRows(report, [0, 1], 'name'));
    expect(found).toMatchObject({ count: 1, passed: 1, judged: 2, rate: 0.5 });
  });
});
