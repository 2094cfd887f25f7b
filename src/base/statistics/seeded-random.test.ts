import { describe, expect, it } from 'vitest';
import { seededRandom } from './seeded-random.js';

describe('seededRandom', () => {
  it('repeats itself for a seed, and not for another', () => {
    const numbersOf = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(numbersOf(7)).toEqual(numbersOf(7));
    expect(numbersOf(7)).not.toEqual(numbersOf(8));
  });

  it.each([0, 1, 20_260_131])('spreads evenly between 0 and 1, with seed %i', (seed) => {
    const random = seededRandom(seed);
    const tenths = Array<number>(10).fill(0);
    for (let draw = 0; draw < 100_000; draw++) {
      const number = random();
      const at = Math.floor(number * 10);
      tenths[at] = (tenths[at] ?? 0) + 1;
    }
    expect(tenths).toHaveLength(10);
    // Chi-square with nine degrees of freedom: 27.9 in one of a thousand.
    const chiSquare = tenths.reduce((sum, count) => sum + (count - 10_000) ** 2 / 10_000, 0);
    expect(chiSquare).toBeLessThan(27.9);
  });
});
