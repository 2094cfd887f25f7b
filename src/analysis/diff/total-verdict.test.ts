import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sides } from './task-verdicts.js';
import { decideTotalVerdict } from './total-verdict.js';

const task = (a: number, n: number, b: number, m: number): Sides => ({
  base: { passed: a, judged: n },
  current: { passed: b, judged: m },
});
const times = (count: number, sides: Sides) => Array<Sides>(count).fill(sides);

describe('totalVerdict', () => {
  it('is by McNemar where every task ran once', () => {
    const tasks = [...times(9, task(1, 1, 0, 1)), task(0, 1, 1, 1), ...times(10, task(1, 1, 1, 1))];
    expect(decideTotalVerdict(tasks)).toMatchObject({
      tasks: 20,
      difference: -0.4,
      pValue: expect.closeTo(22 / 1024, 12),
      method: 'exact McNemar',
      verdict: 'regression',
      moreTasks: null,
    });
  });

  it('is by sign-flip where tasks ran several times', () => {
    expect(decideTotalVerdict(times(6, task(4, 5, 5, 5)))).toMatchObject({
      pValue: 2 / 64,
      method: 'exact sign-flip',
      verdict: 'improvement',
    });
  });

  it('is not enough data with five tasks, however clear they are', () => {
    expect(decideTotalVerdict(times(5, task(20, 20, 0, 20)))).toMatchObject({
      pValue: 2 / 32,
      verdict: 'not enough data',
      moreTasks: 1,
    });
    expect(decideTotalVerdict([task(20, 20, 20, 20)])).toMatchObject({
      verdict: 'not enough data',
      moreTasks: 5,
    });
  });

  it('is not fooled by a base with one run, which seldom shows a rare failure', () => {
    const tasks = times(12, task(1, 1, 19, 20));
    expect(decideTotalVerdict(tasks)).toMatchObject({ method: 'redealt runs' });
    expect(decideTotalVerdict(tasks).verdict).not.toBe('regression');
  });

  it('still sees what is plain where the sides have different numbers of runs', () => {
    expect(decideTotalVerdict(times(8, task(60, 60, 2, 5))).verdict).toBe('regression');
    expect(decideTotalVerdict(times(8, task(2, 5, 60, 60))).verdict).toBe('improvement');
  });

  it('finds nothing where nothing changed, and knows that it is not certain', () => {
    const { verdict, pValue, low, high } = decideTotalVerdict(times(30, task(20, 20, 20, 20)));
    expect({ verdict, pValue }).toEqual({ verdict: 'no change', pValue: 1 });
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  it('has an interval over tasks', () => {
    const tasks = [task(10, 20, 12, 20), task(10, 20, 14, 20), task(10, 20, 19, 20)];
    const { low, high } = decideTotalVerdict(tasks);
    // Differences 0.1, 0.2, 0.45: mean 0.25, deviation 0.1803, t with two degrees 4.30265.
    expect(low).toBeCloseTo(0.25 - (4.302652729749464 * 0.18027756377319945) / Math.sqrt(3), 9);
    expect(high).toBeCloseTo(0.25 + (4.302652729749464 * 0.18027756377319945) / Math.sqrt(3), 9);
  });

  it('has no opinion without tasks', () => {
    expect(decideTotalVerdict([])).toMatchObject({ verdict: 'not enough data', pValue: null });
  });

  it('mirrors when base and current change places', () => {
    const passes = fc
      .tuple(fc.nat(5), fc.nat(5))
      .filter(([passed, failed]) => passed + failed > 0)
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
      fc.property(fc.array(sides, { minLength: 1, maxLength: 10 }), (tasks) => {
        const swapped = tasks.map(({ base, current }) => ({ base: current, current: base }));
        const { difference, low, high, verdict, ...rest } = decideTotalVerdict(tasks);
        expect(decideTotalVerdict(swapped)).toEqual({
          ...rest,
          difference: 0 - (difference ?? 0),
          low: 0 - (high ?? 0),
          high: 0 - (low ?? 0),
          verdict: mirrored[verdict],
        });
      }),
      { numRuns: 20 },
    );
  });
});
