import { describe, expect, it } from 'vitest';
import { exactMcNemarTest } from './exact-mcnemar-test.js';

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
