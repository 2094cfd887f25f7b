import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fishersExactTest } from './fishers-exact-test.js';
import { redealtRunsTest } from './redealt-runs-test.js';

const side = (passed: number, judged: number) => ({ passed, judged });

describe('redealtRunsTest', () => {
  it.each([
    [side(8, 10), side(1, 9)],
    [side(0, 7), side(6, 12)],
    [side(60, 60), side(3, 5)],
  ])("of one task, %j and %j, is Fisher's exact test", (first, second) => {
    const drawn = redealtRunsTest([{ first, second }]);
    expect(Math.abs(drawn - fishersExactTest(first, second).twoSided)).toBeLessThan(0.005);
  });

  it('sees nothing where every deal comes to the same', () => {
    expect(redealtRunsTest([{ first: side(5, 5), second: side(20, 20) }])).toBe(1);
    expect(redealtRunsTest([])).toBe(1);
  });

  it('is not fooled by a side with few runs, which mostly passes a little more often', () => {
    const pair = { first: side(19, 20), second: side(1, 1) };
    expect(redealtRunsTest(Array<typeof pair>(12).fill(pair))).toBeGreaterThan(0.3);
  });

  it('gives the same answer to the mirrored question', () => {
    const pair = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6), fc.nat(6)).map(([a, b, c, d]) => ({
      first: side(a, a + b + 1),
      second: side(c, c + d + 1),
    }));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), (pairs) => {
        const mirrored = pairs.map(({ first, second }) => ({ first: second, second: first }));
        expect(redealtRunsTest(mirrored)).toBe(redealtRunsTest(pairs));
      }),
      { numRuns: 30 },
    );
  });
});
