import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal-quantile.js';

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
