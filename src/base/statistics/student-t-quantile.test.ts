import { describe, expect, it } from 'vitest';
import { studentTQuantile } from './student-t-quantile.js';

describe('studentTQuantile', () => {
  it.each([
    // scipy 1.17.1: t.ppf(0.975, degrees).
    [1, 12.706204736174694],
    [2, 4.302652729749462],
    [3, 3.1824463052837078],
    [4, 2.7764451051977934],
    [7, 2.364624251592784],
    [10, 2.228138851986274],
    [29, 2.045229642132703],
    [30, 2.0422724563012378],
    [999, 1.9623414611334493],
    [9999, 1.960201263621357],
  ])('of %i degrees of freedom is %f', (degrees, expected) => {
    expect(Math.abs(studentTQuantile(degrees) - expected)).toBeLessThan(1e-9);
  });
});
