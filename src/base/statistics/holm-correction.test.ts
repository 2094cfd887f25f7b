import { describe, expect, it } from 'vitest';
import { holmCorrection } from './holm-correction.js';

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
