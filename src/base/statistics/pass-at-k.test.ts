import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { passAtK, passHatK } from './pass-at-k.js';

describe('passAtK and passHatK', () => {
  it.each([
    // By hand: 1 - C(3,2)/C(5,2) = 1 - 3/10; C(2,2)/C(5,2) = 1/10.
    [5, 2, 2, 0.7, 0.1],
    // By Python's fractions: 1 - F(comb(n-c, k), comb(n, k)) and F(comb(c, k), comb(n, k)).
    [20, 7, 5, 0.9169891640866873, 0.0013544891640866873],
    [10, 10, 3, 1, 1],
    [10, 0, 3, 0, 0],
    [200, 13, 100, 0.9999194971988055, 0],
    [5, 4, 5, 1, 0],
    [1000, 3, 10, 0.029730451894780553, 0],
  ])('of n=%i, c=%i, k=%i are exact', (n, c, k, any, all) => {
    expect(Math.abs(passAtK(n, c, k) - any)).toBeLessThan(1e-12);
    expect(Math.abs(passHatK(n, c, k) - all)).toBeLessThan(1e-12);
  });

  it('do not overflow where factorials would', () => {
    expect(passHatK(100_000, 99_999, 50_000)).toBeCloseTo(0.5, 9);
    expect(passAtK(100_000, 1, 50_000)).toBeCloseTo(0.5, 9);
  });

  it('are the rate itself for one run', () => {
    expect(passAtK(20, 7, 1)).toBeCloseTo(7 / 20, 12);
    expect(passHatK(20, 7, 1)).toBeCloseTo(7 / 20, 12);
  });

  it('mirror each other when passes and failures change places', () => {
    const draws = fc
      .tuple(fc.nat(200), fc.nat(200), fc.nat(200))
      .map(([a, b, c]) => [a, b, c].sort((x, y) => x - y) as [number, number, number]);
    fc.assert(
      fc.property(draws, ([c, k, n]) => {
        fc.pre(k >= 1);
        expect(passAtK(n, c, k)).toBeCloseTo(1 - passHatK(n, n - c, k), 12);
      }),
    );
  });

  it.each([0, 6])('have no answer for k=%i of five runs', (k) => {
    expect(() => passAtK(5, 2, k)).toThrow(RangeError);
    expect(() => passHatK(5, 2, k)).toThrow(RangeError);
  });
});
