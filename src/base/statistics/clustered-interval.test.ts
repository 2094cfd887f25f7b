import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredInterval } from './clustered-interval.js';
import { seededRandom } from './seeded-random.js';
import { wilsonInterval } from './wilson-interval.js';

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const widthOf = (tasks: { passed: number; judged: number }[]) => {
  const { low, high } = clusteredInterval(tasks) ?? { low: 0, high: 0 };
  return high - low;
};

describe('clusteredInterval', () => {
  it("is Wilson's where every task ran once, or there is one task", () => {
    const single = times(20, (at) => ({ passed: at < 15 ? 1 : 0, judged: 1 }));
    expect(clusteredInterval(single)).toEqual(wilsonInterval(15, 20));
    expect(clusteredInterval([{ passed: 15, judged: 20 }])).toEqual(wilsonInterval(15, 20));
  });

  it('is as wide as that of the tasks where all runs of a task end alike', () => {
    const alike = times(20, (at) => ({ passed: at < 15 ? 10 : 0, judged: 10 }));
    const byTask = wilsonInterval(15, 20);
    expect(clusteredInterval(alike)?.low).toBeCloseTo(byTask?.low ?? 2, 9);
    expect(clusteredInterval(alike)?.high).toBeCloseTo(byTask?.high ?? 2, 9);
  });

  it('is worked out by hand for two tasks', () => {
    // 3/4 and 1/4, with 4/4 and 0/4 beside: rate 1/2; squares 1 + 1 + 4 + 4 = 10, times 4/3 is
    // 13.33; independent runs would have 16 / 4 = 4: an effect of 3.33, so 8 runs are worth 2.4.
    const expected = wilsonInterval(1.2, 2.4);
    const found = clusteredInterval([
      { passed: 3, judged: 4 },
      { passed: 1, judged: 4 },
    ]);
    expect(found?.low).toBeCloseTo(expected?.low ?? 2, 9);
    expect(found?.high).toBeCloseTo(expected?.high ?? 2, 9);
  });

  it('is unknown without judged runs', () => {
    expect(clusteredInterval([])).toBeUndefined();
    expect(clusteredInterval([{ passed: 0, judged: 0 }])).toBeUndefined();
  });

  it('does not become certain of tasks that all passed', () => {
    const allPassed = times(30, () => ({ passed: 20, judged: 20 }));
    const { low, high } = clusteredInterval(allPassed) ?? { low: 2, high: 2 };
    expect(high).toBe(1);
    // As of thirty tasks, not as of six hundred.
    expect(low).toBeCloseTo(wilsonInterval(30, 30)?.low ?? 2, 9);
  });

  it('holds the rate, stays within 0 and 1, and is never a point', () => {
    const task = fc.tuple(fc.nat(30), fc.nat(30)).map(([passed, failed]) => ({
      passed,
      judged: passed + failed,
    }));
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 12 }), (tasks) => {
        const judged = tasks.reduce((sum, each) => sum + each.judged, 0);
        fc.pre(judged > 0);
        const rate = tasks.reduce((sum, each) => sum + each.passed, 0) / judged;
        const { low, high } = clusteredInterval(tasks) ?? { low: 2, high: -1 };
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(rate + 1e-12);
        expect(high).toBeGreaterThanOrEqual(rate - 1e-12);
        expect(high).toBeLessThanOrEqual(1);
        expect(high - low).toBeGreaterThan(0.001);
      }),
    );
  });

  it('becomes narrower with more tasks, and little with more runs of unlike tasks', () => {
    const unlike = (tasks: number, runs: number) =>
      widthOf(times(tasks, (at) => ({ passed: at % 2 ? runs : 0, judged: runs })));
    expect(unlike(40, 5)).toBeLessThan(unlike(10, 5) * 0.6);
    expect(unlike(10, 50)).toBeCloseTo(unlike(10, 5), 2);
  });

  /** Of a thousand suites, whose tasks have rates anywhere between 0 and 1, those that hold a half. */
  function heldOf(judged: readonly number[]): number {
    const random = seededRandom(1);
    let held = 0;
    for (let suite = 0; suite < 1000; suite++) {
      const drawn = judged.map((runs) => {
        const rate = random();
        return { passed: times(runs, () => random() < rate).filter(Boolean).length, judged: runs };
      });
      const { low, high } = clusteredInterval(drawn) ?? { low: 2, high: 2 };
      if (low <= 0.5 && 0.5 <= high) held++;
    }
    return held;
  }

  it.each([
    [5, 5],
    [8, 20],
    [30, 20],
  ])('holds the true rate of %i tasks with %i runs in 95 of 100 suites', (tasks, runs) => {
    expect(heldOf(times(tasks, () => runs))).toBeGreaterThanOrEqual(940);
  });

  it('is not fooled by one task that has most of the runs', () => {
    expect(heldOf([100, ...times(29, () => 1)])).toBeGreaterThanOrEqual(920);
  });
});
