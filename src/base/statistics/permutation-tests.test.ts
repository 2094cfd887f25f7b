import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactMcNemarTest, fishersExactTest } from './exact-tests.js';
import {
  exactSignFlipPValue,
  type Fraction,
  seededRandom,
  signFlipTest,
  stratifiedPermutationTest,
} from './permutation-tests.js';

const over = (denominator: number, ...numerators: number[]): Fraction[] =>
  numerators.map((numerator) => ({ numerator, denominator }));

/** Denominators without a common multiple that could be counted over. */
const primes = [10_007, 10_009, 10_037, 10_039, 10_061, 10_067, 10_069];

/** By its definition, over exact whole numbers. */
function byDefinition(numerators: readonly number[]): number {
  const observed = Math.abs(numerators.reduce((sum, each) => sum + each, 0));
  let asFar = 0;
  for (let flip = 0; flip < 2 ** numerators.length; flip++) {
    const sum = numerators.reduce(
      (total, each, at) => total + ((flip >> at) & 1 ? -each : each),
      0,
    );
    if (Math.abs(sum) >= observed) asFar++;
  }
  return asFar / 2 ** numerators.length;
}

describe('signFlipTest', () => {
  it("of Darwin's maize is what Fisher counted (1935): 863 of 32768 on either side", () => {
    const inches = over(8, 49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48);
    expect(signFlipTest(inches)).toEqual({ pValue: 1726 / 32768, isExact: true });
  });

  it.each([
    [over(5, -1, -1, -1, -1, -1, -1), 2 / 64],
    // Python's fractions, over itertools.product((1, -1), repeat=n).
    [over(5, 1, -2, -3, 0, -1, -4, -1, -2), 0.0625],
    [
      [
        [1, 3],
        [-2, 7],
        [-3, 11],
        [-5, 13],
        [-1, 17],
        [-4, 19],
        [-1, 23],
      ].map(([numerator = 0, denominator = 1]) => ({ numerator, denominator })),
      0.21875,
    ],
    [over(5, 0, 0, 0), 1],
    [[], 1],
  ])('of %j is exact', (differences, expected) => {
    expect(signFlipTest(differences)).toEqual({ pValue: expected, isExact: true });
  });

  it('is what its definition says', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 9 }),
        (numerators) => {
          const { pValue } = signFlipTest(over(20, ...numerators));
          expect(pValue).toBeCloseTo(byDefinition(numerators), 12);
          expect(exactSignFlipPValue(numerators)).toBeCloseTo(pValue, 12);
        },
      ),
    );
  });

  it('is one and the same however it is counted', () => {
    const numerators = [4_003, -12, -2_007, -3_333, -91, -5_009, -1_234];
    const apart = numerators.map((numerator, at) => ({ numerator, denominator: primes[at] ?? 1 }));
    const together = over(10_000, ...apart.map((each) => rounded(each)));
    expect(signFlipTest(apart)).toEqual(signFlipTest(together));
  });

  it('is exact where only the sums are too large to be whole', () => {
    const rates = [
      [46, 47, 1, 53],
      [36, 37, 1, 29],
      [18, 19, 1, 23],
      [43, 43, 1, 59],
      [40, 41, 1, 31],
      [47, 47, 0, 53],
      [36, 37, 1, 29],
      [18, 19, 1, 23],
      [42, 43, 0, 59],
    ];
    const worse = rates.map(([a = 0, n = 1, b = 0, m = 1]) => ({
      numerator: b * n - a * m,
      denominator: n * m,
    }));
    // All one way: only this one and its mirror image are as far.
    expect(signFlipTest(worse)).toEqual({ pValue: 2 / 512, isExact: true });
  });

  it('of pairs that ran once is the test of McNemar', () => {
    fc.assert(
      fc.property(fc.nat(40), fc.nat(40), fc.nat(5), (worse, better, alike) => {
        const differences = [
          ...over(1, ...Array<number>(worse).fill(-1)),
          ...over(1, ...Array<number>(better).fill(1)),
          ...over(1, ...Array<number>(alike).fill(0)),
        ];
        const { pValue } = signFlipTest(differences);
        expect(pValue).toBeCloseTo(exactMcNemarTest(worse, better), 12);
      }),
    );
  });

  it('draws flips where there are too many: the same ones every time, and near the exact share', () => {
    const numerators = Array.from({ length: 28 }, (_, at) => ((at * 37) % 11) - 6);
    const apart = numerators.map((numerator, at) => ({
      numerator: numerator * 1_000,
      denominator: primes[at % primes.length] ?? 1,
    }));
    const drawn = signFlipTest(apart);
    expect(drawn.isExact).toBe(false);
    expect(signFlipTest(apart)).toEqual(drawn);
    const exact = signFlipTest(over(10_000, ...apart.map((each) => rounded(each))));
    expect(exact.isExact).toBe(true);
    expect(Math.abs(drawn.pValue - exact.pValue)).toBeLessThan(0.01);
  });

  it('does not mind which side is which', () => {
    const fraction = fc
      .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 97 }))
      .map(([numerator, denominator]) => ({ numerator, denominator }));
    fc.assert(
      fc.property(fc.array(fraction, { maxLength: 10 }), (differences) => {
        const mirrored = differences.map((each) => ({ ...each, numerator: -each.numerator }));
        expect(signFlipTest(mirrored)).toEqual(signFlipTest(differences));
      }),
    );
  });
});

function rounded({ numerator, denominator }: Fraction): number {
  return Math.round((numerator / denominator) * 10_000);
}

const side = (passed: number, judged: number) => ({ passed, judged });

describe('redealtRunsTest', () => {
  it.each([
    [side(8, 10), side(1, 9)],
    [side(0, 7), side(6, 12)],
    [side(60, 60), side(3, 5)],
  ])("of one task, %j and %j, is Fisher's exact test", (first, second) => {
    const drawn = stratifiedPermutationTest([{ first, second }]);
    expect(Math.abs(drawn - fishersExactTest(first, second).twoSided)).toBeLessThan(0.005);
  });

  it('sees nothing where every deal comes to the same', () => {
    expect(stratifiedPermutationTest([{ first: side(5, 5), second: side(20, 20) }])).toBe(1);
    expect(stratifiedPermutationTest([])).toBe(1);
  });

  it('is not fooled by a side with few runs, which mostly passes a little more often', () => {
    const pair = { first: side(19, 20), second: side(1, 1) };
    expect(stratifiedPermutationTest(Array<typeof pair>(12).fill(pair))).toBeGreaterThan(0.3);
  });

  it('gives the same answer to the mirrored question', () => {
    const pair = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6), fc.nat(6)).map(([a, b, c, d]) => ({
      first: side(a, a + b + 1),
      second: side(c, c + d + 1),
    }));
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), (pairs) => {
        const mirrored = pairs.map(({ first, second }) => ({ first: second, second: first }));
        expect(stratifiedPermutationTest(mirrored)).toBe(stratifiedPermutationTest(pairs));
      }),
      { numRuns: 30 },
    );
  });
});

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
