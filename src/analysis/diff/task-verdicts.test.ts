import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fishersExactTest } from '../../base/statistics/exact-tests.js';
import { decideTaskVerdicts, type Sides } from './task-verdicts.js';

const task = (a: number, n: number, b: number, m: number): Sides => ({
  base: { passed: a, judged: n },
  current: { passed: b, judged: m },
});
const stable = task(5, 5, 5, 5);

function verdictOf(...tasks: [Sides, ...Sides[]]) {
  const [first] = decideTaskVerdicts(tasks);
  if (!first) throw new Error('there is no verdict');
  return first;
}

describe('taskVerdicts', () => {
  it.each([
    [task(20, 20, 8, 20), 'regression'],
    [task(8, 20, 20, 20), 'improvement'],
    [task(18, 20, 18, 20), 'no change'],
    [task(19, 20, 18, 20), 'no change'],
    [task(18, 20, 13, 20), 'not enough data'],
    [task(5, 5, 2, 5), 'not enough data'],
    [task(3, 3, 0, 3), 'not enough data'],
    [task(300, 300, 0, 3), 'not enough data'],
    [task(0, 3, 300, 300), 'not enough data'],
    [task(4, 4, 0, 4), 'regression'],
    [task(5, 5, 0, 0), 'not enough data'],
  ] as const)('of %j is %s', (sides, verdict) => {
    expect(verdictOf(sides).verdict).toBe(verdict);
  });

  it("has Fisher's exact test and Holm's correction", () => {
    const [first, second] = decideTaskVerdicts([task(20, 20, 8, 20), task(10, 20, 17, 20)]);
    // scipy 1.17.1: fisher_exact([[20, 0], [8, 12]]) and ([[10, 10], [17, 3]]).
    expect(first?.pValue).toBeCloseTo(4.5095150768120733e-5, 12);
    expect(second?.pValue).toBeCloseTo(0.040742395024931176, 12);
    expect(first?.adjusted).toBeCloseTo(2 * 4.5095150768120733e-5, 12);
    expect(second?.adjusted).toBeCloseTo(0.040742395024931176, 12);
  });

  it('does not let tasks that could show nothing hide one that broke', () => {
    const broken = task(5, 5, 0, 5);
    expect(verdictOf(broken, ...Array<Sides>(200).fill(stable)).verdict).toBe('regression');
  });

  it('does not call the worst of many a regression', () => {
    const flaky = task(10, 20, 10, 20);
    const worst = task(14, 20, 7, 20);
    expect(fishersExactTest(worst.base, worst.current).twoSided).toBeLessThan(0.06);
    expect(verdictOf(worst, ...Array<Sides>(30).fill(flaky)).verdict).not.toBe('regression');
  });

  it('says how many more runs would settle it, and they do', () => {
    const { moreRuns } = verdictOf(task(5, 5, 2, 5));
    expect(moreRuns).toBeGreaterThan(0);
    const runs = 5 + (moreRuns ?? 0);
    const then = task(runs, runs, Math.round(0.4 * runs), runs);
    expect(verdictOf(then).verdict).toBe('regression');
    const before = task(runs - 1, runs - 1, Math.round(0.4 * (runs - 1)), runs - 1);
    expect(verdictOf(before).verdict).toBe('not enough data');
  });

  it.each([
    [task(20, 20, 8, 20), null],
    [task(18, 20, 18, 20), null],
    [task(500, 1000, 499, 1000), null],
    [task(1, 1, 1, 1), 3],
    [task(0, 0, 5, 5), 4],
  ] as const)('of %j asks for %s more runs', (sides, moreRuns) => {
    expect(verdictOf(sides).moreRuns).toBe(moreRuns);
  });

  it('mirrors when base and current change places', () => {
    const passes = fc
      .tuple(fc.nat(25), fc.nat(25))
      .map(([passed, failed]) => ({ passed, judged: passed + failed }));
    const sides = fc.record({ base: passes, current: passes });
    const mirrored = {
      regression: 'improvement',
      improvement: 'regression',
      'judged differently': 'judged differently',
      'no change': 'no change',
      'not enough data': 'not enough data',
    } as const;
    fc.assert(
      fc.property(fc.array(sides, { maxLength: 12 }), (tasks) => {
        const swapped = tasks.map(({ base, current }) => ({ base: current, current: base }));
        const expected = decideTaskVerdicts(tasks).map(({ verdict, difference, ...rest }) => ({
          ...rest,
          verdict: mirrored[verdict],
          difference: difference === null ? null : 0 - difference,
        }));
        expect(decideTaskVerdicts(swapped)).toEqual(expected);
      }),
    );
  });
});
