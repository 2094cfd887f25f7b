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
