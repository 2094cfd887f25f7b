import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  exactMcNemarTest,
  fishersExactTest,
  holmCorrection,
  smallestAttainable,
} from './exact-tests.js';

/** scipy 1.17.1: fisher_exact with alternative 'greater' and 'less'; without, if sizes are equal. */
const references: [number, number, number, number, number, number, number | undefined][] = [
  [5, 5, 0, 5, 0.003968253968253969, 1, 0.007936507936507938],
  [8, 10, 1, 9, 0.004492411613154647, 0.9998917491177554, undefined],
  [3, 4, 1, 4, 0.24285714285714283, 0.9857142857142858, 0.48571428571428565],
  [18, 20, 9, 20, 0.0028678368500392967, 0.9997841874927526, 0.005735673700078594],
  [20, 20, 20, 20, 1, 1, 1],
  [0, 7, 6, 12, 1, 0.03405572755417957, undefined],
  [190, 200, 170, 210, 7.994775446051418e-6, 0.9999983217884819, undefined],
  [60, 60, 2, 5, 0.00022893772893772894, 1, undefined],
  [980, 1000, 940, 1000, 2.8329860009233784e-6, 0.9999991349720371, 5.665972001846757e-6],
  [1, 3, 2, 3, 0.95, 0.5, 1],
];

const passes = fc
  .tuple(fc.nat(60), fc.nat(60))
  .map(([a, b]) => ({ passed: Math.min(a, b), judged: Math.max(a, b) }));

describe('fishersExactTest', () => {
  it.each(references)('of %i/%i and %i/%i is what scipy has', (a, n, b, m, worse, better, both) => {
    const test = fishersExactTest({ passed: a, judged: n }, { passed: b, judged: m });
    expect(Math.abs(test.worse - worse)).toBeLessThan(1e-12);
    expect(Math.abs(test.better - better)).toBeLessThan(1e-12);
    const twoSided = both ?? Math.min(1, 2 * Math.min(worse, better));
    expect(Math.abs(test.twoSided - twoSided)).toBeLessThan(1e-12);
  });

  it('is that of the lady tasting tea (Fisher 1935): 17 of 70 ways are as good as three of four', () => {
    const test = fishersExactTest({ passed: 1, judged: 4 }, { passed: 3, judged: 4 });
    expect(test.better).toBeCloseTo(17 / 70, 12);
  });

  it('survives large numbers', () => {
    const test = fishersExactTest(
      { passed: 90_000, judged: 100_000 },
      { passed: 80_000, judged: 100_000 },
    );
    expect(test.worse).toBeLessThan(1e-300);
    expect(test.better).toBeCloseTo(1, 9);
  });

  it('gives two that are alike the same chance to be worse and better, to the last digit', () => {
    for (let judged = 0; judged <= 60; judged++) {
      for (let passed = 0; passed <= judged; passed++) {
        const { worse, better } = fishersExactTest({ passed, judged }, { passed, judged });
        expect(worse).toBe(better);
      }
    }
  });

  it('gives the mirrored answer to the mirrored question, to the last digit', () => {
    fc.assert(
      fc.property(passes, passes, (first, second) => {
        const { worse, better, twoSided } = fishersExactTest(first, second);
        expect(fishersExactTest(second, first)).toEqual({ worse: better, better: worse, twoSided });
      }),
    );
  });

  it('does not come to less than what these passes can come to', () => {
    fc.assert(
      fc.property(passes, passes, (first, second) => {
        const { twoSided } = fishersExactTest(first, second);
        expect(twoSided).toBeGreaterThanOrEqual(smallestAttainable(first, second) - 1e-15);
      }),
    );
  });
});

describe('smallestAttainable', () => {
  it.each([
    [5, 5, 0, 5, 2 / 252],
    [4, 5, 4, 5, (2 * 2) / 9],
    [5, 5, 5, 5, 1],
    [0, 5, 0, 5, 1],
  ])('of %i/%i and %i/%i is %f', (a, n, b, m, expected) => {
    const smallest = smallestAttainable({ passed: a, judged: n }, { passed: b, judged: m });
    expect(smallest).toBeCloseTo(expected, 12);
  });
});

describe('exactMcNemarTest', () => {
  it.each([
    // By hand: 2 / 2^6, and 2 * (1 + 10) / 2^10.
    [0, 6, 2 / 64],
    [1, 9, 22 / 1024],
    // scipy 1.17.1: binomtest(min(b, c), b + c).
    [5, 5, 1],
    [59, 16, 6.114156572521501e-7],
    [121, 59, 4.4344492637551645e-6],
    [3, 0, 0.25],
    [400, 330, 0.010605994778707762],
    [0, 0, 1],
  ])('of %i worse and %i better is %f', (worse, better, expected) => {
    expect(Math.abs(exactMcNemarTest(worse, better) - expected)).toBeLessThan(1e-12);
    expect(exactMcNemarTest(better, worse)).toBe(exactMcNemarTest(worse, better));
  });
});

describe('holmCorrection', () => {
  it.each([
    // statsmodels 0.15.0: multipletests(p, method='holm'); the first is also done by hand.
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.03, 0.06, 0.06, 0.02],
    ],
    [
      [0.02, 0.02, 0.02],
      [0.06, 0.06, 0.06],
    ],
    [[0.5], [0.5]],
    [
      [0.001, 0.8, 0.012, 0.013, 0.9],
      [0.005, 1, 0.048, 0.048, 1],
    ],
    [[], []],
  ])('of %j is %j', (pValues, expected) => {
    const adjusted = holmCorrection(pValues);
    expect(adjusted).toHaveLength(expected.length);
    for (const [index, value] of adjusted.entries()) {
      expect(value).toBeCloseTo(expected[index] ?? -1, 12);
    }
  });
});
