import { computeDeals } from './exact-tests.js';
import type { Passes } from './pass-at-k.js';

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
const flipSeed = 20_260_131;

/**
 * Sign-flip permutation test over paired differences: if nothing changed, each could as well have
 * had the other sign. Exact where that is feasible, else by flips drawn from a fixed seed.
 */
export function signFlipTest(differences: readonly Fraction[]): SignFlipTest {
  const changed = differences.filter(({ numerator }) => numerator !== 0);
  if (changed.length === 0) return { pValue: 1, isExact: true };
  const whole = overCommonDenominator(changed);
  const values = whole ?? changed.map(({ numerator, denominator }) => numerator / denominator);
  if (values.length <= maxEnumerated) return { pValue: enumerateFlips(values), isExact: true };
  const counted = whole && exactSignFlipPValue(whole);
  if (counted !== undefined) return { pValue: counted, isExact: true };
  return { pValue: sampleFlips(values), isExact: false };
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
function enumerateFlips(values: readonly number[]): number {
  const observed = findReach(values);
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

function sampleFlips(values: readonly number[]): number {
  const random = seededRandom(flipSeed);
  const observed = findReach(values);
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
function findReach(values: readonly number[]): number {
  return Math.abs(values.reduce((total, value) => total + value, 0)) - 1e-9;
}

/** Steps that counting may take, about half a second, and sums that it may keep. */
const maxSteps = 2e8;
const maxSums = 1e6;

/**
 * The share of all flips of signs of these whole numbers whose sum is as far from zero as their own,
 * or further. Counted sum by sum instead of flip by flip; undefined if that takes too long.
 */
export function exactSignFlipPValue(values: readonly number[]): number | undefined {
  const sizes = values.map(Math.abs).sort((a, b) => a - b);
  const largest = sizes.reduce((total, size) => total + size, 0);
  if (largest > maxSums || largest * sizes.length > maxSteps) return undefined;
  // Flipping picks some for the positive side: their sum decides over the whole.
  let shares = new Float64Array(largest + 1);
  let next = new Float64Array(largest + 1);
  shares[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    reached += size;
    for (let sum = 0; sum <= reached; sum++) {
      next[sum] = ((shares[sum] ?? 0) + (sum >= size ? (shares[sum - size] ?? 0) : 0)) / 2;
    }
    [shares, next] = [next, shares];
  }
  const observed = Math.abs(values.reduce((total, value) => total + value, 0));
  let asFar = 0;
  for (let sum = 0; sum <= largest; sum++) {
    if (Math.abs(2 * sum - largest) >= observed) asFar += shares[sum] ?? 0;
  }
  return Math.min(1, asFar);
}

const dealSeed = 20_260_132;
/** After so many samples, a share over this is far from rare, and the rest would not change that. */
const fewSamples = 9_999;
const plain = 0.1;

/** What a task's difference of rates might have been; the number is from 0 to below 1. */
type Draw = (random: number) => number;

/**
 * Whether the mean difference of rates is more than chance: the runs of every task are dealt anew to
 * the two sides, as many to each as it had. Two-sided, by deals drawn from a fixed seed. It holds
 * where the two sides have different numbers of runs, and a difference is not as likely to be up as
 * it is to be down.
 */
export function stratifiedPermutationTest(
  pairs: readonly { first: Passes; second: Passes }[],
): number {
  const draws: Draw[] = [];
  let observed = 0;
  for (const { first, second } of pairs) {
    const passed = first.passed + second.passed;
    // Whatever the deal, it comes to the same.
    if (passed === 0 || passed === first.judged + second.judged) continue;
    observed += second.passed / second.judged - first.passed / first.judged;
    draws.push(makeDraw(first, second));
  }
  const random = seededRandom(dealSeed);
  const mostSamples = sampleCount(draws.length);
  let samples = 0;
  let lower = 0;
  let higher = 0;
  for (; samples < mostSamples; samples++) {
    if (samples === fewSamples && Math.min(lower, higher) > plain * samples) break;
    let sum = 0;
    for (const draw of draws) sum += draw(random());
    if (sum <= observed + 1e-9) lower++;
    if (sum >= observed - 1e-9) higher++;
  }
  // What was observed is one of the deals: never zero.
  return Math.min(1, (2 * (Math.min(lower, higher) + 1)) / (samples + 1));
}

function makeDraw(first: Passes, second: Passes): Draw {
  if (first.judged === second.judged) {
    const difference = (second.passed - first.passed) / first.judged;
    return (random) => (random < 0.5 ? difference : -difference);
  }
  // Always from the smaller side: a mirrored question draws the mirrored deals.
  if (first.judged > second.judged) {
    const mirrored = makeDraw(second, first);
    return (random) => -mirrored(random);
  }
  const passed = first.passed + second.passed;
  const { fewest, chances } = computeDeals(first.judged, second.judged, passed);
  let sum = 0;
  const upTo = chances.map((chance) => {
    sum += chance;
    return sum;
  });
  return (random) => {
    const dealt = fewest + findPlace(random, upTo);
    return (passed - dealt) / second.judged - dealt / first.judged;
  };
}

/** The first whose sum is above the number, or the last: by halves, as there may be thousands. */
function findPlace(random: number, upTo: Float64Array): number {
  let low = 0;
  let high = upTo.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (random < (upTo[middle] ?? 1)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Draws of one sample after the other that take about a second. */
const maxDraws = 5e7;

/** How many samples to take, if each takes so many draws. */
function sampleCount(draws: number): number {
  return Math.max(9_999, Math.min(99_999, Math.floor(maxDraws / Math.max(1, draws))));
}

/**
 * Numbers from 0 to below 1 that look random, and are the same for the same seed (a whole number of
 * 32 bits) on every machine. Marsaglia's xorshift128 with the seed spread over its state.
 */
export function seededRandom(seed: number): () => number {
  const state = [0, 1, 2, 3].map((place) => mixed(seed + place * 0x9e3779b9) || 1);
  let [a = 1, b = 1, c = 1, d = 1] = state;
  return () => {
    const shifted = a ^ (a << 11);
    a = b;
    b = c;
    c = d;
    d = (d ^ (d >>> 19) ^ shifted ^ (shifted >>> 8)) >>> 0;
    return d / 0x1_0000_0000;
  };
}

/** Every bit of the seed decides over every bit of the state: the finalizer of MurmurHash3. */
function mixed(seed: number): number {
  let hash = seed >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
