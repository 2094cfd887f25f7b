import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from './wilson-interval.js';

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
