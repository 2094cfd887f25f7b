import { countedFlips } from './counted-flips.js';
import { sampleCount } from './sample-count.js';
import { seededRandom } from './seeded-random.js';

export interface SignFlipTest {
  /** Two-sided: the share of all flips whose sum is as far from zero, or further. */
  pValue: number;
  isExact: boolean;
}

/** A change of a rate as a fraction, so that it can be counted exactly. */
export interface Fraction {
  numerator: number;
  denominator: number;
}

/** The flips of so many are looked at one by one. */
const maxEnumerated = 16;
const seed = 20_260_131;

/**
 * Sign-flip permutation test over paired differences: if nothing changed, each could as well have
 * had the other sign. Exact where that is feasible, else by flips drawn from a fixed seed.
 */
export function signFlipTest(differences: readonly Fraction[]): SignFlipTest {
  const changed = differences.filter(({ numerator }) => numerator !== 0);
  if (changed.length === 0) return { pValue: 1, isExact: true };
  const whole = overCommonDenominator(changed);
  const values = whole ?? changed.map(({ numerator, denominator }) => numerator / denominator);
  if (values.length <= maxEnumerated) return { pValue: enumerated(values), isExact: true };
  const counted = whole && countedFlips(whole);
  if (counted !== undefined) return { pValue: counted, isExact: true };
  return { pValue: sampled(values), isExact: false };
}

/** As whole numbers, without what they have in common; undefined if these become too large. */
function overCommonDenominator(fractions: readonly Fraction[]): number[] | undefined {
  let common = 1;
  for (const { denominator } of fractions) {
    common = (common / greatestDivisor(common, denominator)) * denominator;
    if (common > Number.MAX_SAFE_INTEGER) return undefined;
  }
  const whole = fractions.map(({ numerator, denominator }) => numerator * (common / denominator));
  // Also of their sums: one that is rounded is no longer as far from zero as its mirror image.
  const farthest = whole.reduce((total, value) => total + Math.abs(value), 0);
  if (!Number.isSafeInteger(farthest)) return undefined;
  const divisor = whole.reduce(greatestDivisor, 0);
  return whole.map((value) => value / divisor);
}

function greatestDivisor(a: number, b: number): number {
  let [larger, smaller] = [Math.abs(a), Math.abs(b)];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** All flips in the order of a Gray code: one sign changes at a time. */
function enumerated(values: readonly number[]): number {
  const observed = reach(values);
  const flips = 2 ** values.length;
  let sum = values.reduce((total, value) => total + value, 0);
  const flipped = values.map(() => false);
  let asFar = 1;
  for (let flip = 1; flip < flips; flip++) {
    const at = 31 - Math.clz32(flip & -flip);
    sum += (flipped[at] ? 2 : -2) * (values[at] ?? 0);
    flipped[at] = !flipped[at];
    if (Math.abs(sum) >= observed) asFar++;
  }
  return asFar / flips;
}

function sampled(values: readonly number[]): number {
  const random = seededRandom(seed);
  const observed = reach(values);
  const samples = sampleCount(values.length);
  let asFar = 0;
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    for (const value of values) sum += random() < 0.5 ? value : -value;
    if (Math.abs(sum) >= observed) asFar++;
  }
  // What was observed is one of the flips: never zero.
  return (asFar + 1) / (samples + 1);
}

/** How far the sum is from zero, less what rounding may have added. */
function reach(values: readonly number[]): number {
  return Math.abs(values.reduce((total, value) => total + value, 0)) - 1e-9;
}
