import { describe, expect, it } from 'vitest';
import { computeSpread } from './summary.js';

describe('spreadOf', () => {
  it.each([
    [[5], { mean: 5, p50: 5, p95: 5, max: 5 }],
    [[3, 1, 2], { mean: 2, p50: 2, p95: 3, max: 3 }],
    [[4, 1, 3, 2], { mean: 2.5, p50: 2, p95: 4, max: 4 }],
    [
      Array.from({ length: 100 }, (_, index) => 100 - index),
      { mean: 50.5, p50: 50, p95: 95, max: 100 },
    ],
  ])('of %j is right', (values, spread) => {
    expect(computeSpread(values)).toEqual(spread);
  });

  it('is unknown without values', () => {
    expect(computeSpread([])).toBeNull();
  });
});
