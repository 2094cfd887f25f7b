import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clusteredInterval,
  normalQuantile,
  studentTQuantile,
  wilsonInterval,
} from './intervals.js';
import { seededRandom } from './permutation-tests.js';

const counts = fc
  .tuple(fc.integer({ min: 1, max: 100_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([trials, share]) => ({ trials, successes: Math.round(trials * share) }));

describe('wilsonInterval', () => {
  it.each([
    // Newcombe (1998), table I.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of %i of %i is what the literature has', (successes, trials, low, high) => {
    const interval = wilsonInterval(successes, trials);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it.each([
    // statsmodels 0.15, proportion_confint with method 'wilson'; at 0.95 the same as the formula with
    // fifty digits.
    [81, 263, 0.95, 0.2552885198782742, 0.3662095769828],
    [15, 148, 0.95, 0.06238639953073628, 0.160487241723308],
    [0, 20, 0.95, 0, 0.1611251580528194],
    [1, 29, 0.95, 0.00611321429276266, 0.1717552187932029],
    [1, 1, 0.95, 0.2065493143772374, 1],
    [0, 1, 0.95, 0, 0.7934506856227627],
    [3, 4, 0.95, 0.3006418425824019, 0.9544127391902995],
    [19, 20, 0.95, 0.763868806553258, 0.9911185511992046],
    [599, 600, 0.95, 0.9906204395238611, 0.9997057317991505],
    [500, 1000, 0.95, 0.4690696003681042, 0.5309303996318958],
    [1, 100_000, 0.95, 0.0000017652477303783, 0.0000566470965904097],
    [7, 10, 0.9, 0.4416997958698349, 0.873123416096802],
    [7, 10, 0.99, 0.3200246792011026, 0.9204336834769342],
  ])('of %i of %i at %f is what others compute', (successes, trials, confidence, low, high) => {
    const interval = wilsonInterval(successes, trials, confidence);
    expect(interval?.low).toBeCloseTo(low, 12);
    expect(interval?.high).toBeCloseTo(high, 12);
  });

  it('is unknown without trials', () => {
    expect(wilsonInterval(0, 0)).toBeUndefined();
  });

  it('holds the proportion and stays within 0 and 1', () => {
    fc.assert(
      fc.property(counts, ({ successes, trials }) => {
        const { low, high } = wilsonInterval(successes, trials) ?? { low: 2, high: -1 };
        const rate = successes / trials;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(rate);
        expect(high).toBeGreaterThanOrEqual(rate);
        expect(high).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('mirrors when successes and failures change places', () => {
    fc.assert(
      fc.property(counts, ({ successes, trials }) => {
        const interval = wilsonInterval(successes, trials);
        const mirrored = wilsonInterval(trials - successes, trials);
        expect(1 - (mirrored?.high ?? 0)).toBeCloseTo(interval?.low ?? 2, 9);
      }),
    );
  });

  it('becomes narrower with more trials of the same outcome', () => {
    const widthOf = (trials: number) => {
      const { low, high } = wilsonInterval(trials / 2, trials) ?? { low: 0, high: 1 };
      return high - low;
    };
    expect(widthOf(1000)).toBeLessThan(widthOf(100));
    expect(widthOf(100)).toBeLessThan(widthOf(10));
  });
});

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

  /** How many of a thousand suites, whose tasks have rates anywhere between 0 and 1, hold a half. */
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

describe('studentTQuantile', () => {
  it.each([
    // scipy 1.17.1: t.ppf(0.975, degrees).
    [1, 12.706204736174694],
    [2, 4.302652729749462],
    [3, 3.1824463052837078],
    [4, 2.7764451051977934],
    [7, 2.364624251592784],
    [10, 2.228138851986274],
    [29, 2.045229642132703],
    [30, 2.0422724563012378],
    [999, 1.9623414611334493],
    [9999, 1.960201263621357],
  ])('of %i degrees of freedom is %f', (degrees, expected) => {
    expect(Math.abs(studentTQuantile(degrees) - expected)).toBeLessThan(1e-9);
  });
});

describe('normalQuantile', () => {
  it.each([
    // As tables have them, to the digits that a double holds.
    [0.5, 0],
    [0.75, 0.674489750196082],
    [0.9, 1.2815515655446],
    [0.95, 1.64485362695147],
    [0.975, 1.95996398454005],
    [0.995, 2.5758293035489],
    [0.9995, 3.2905267314919],
  ])('of %f is %f', (share, value) => {
    expect(normalQuantile(share)).toBeCloseTo(value, 12);
  });
});
