import type { Passes } from './pass-at-k.js';

export interface FishersExactTest {
  /** Chance of so few passes in the second, or fewer, if both are alike. */
  worse: number;
  /** Chance of so many passes in the second, or more. */
  better: number;
  /** Twice the smaller of the two, and at most 1: each direction gets half of the errors. */
  twoSided: number;
}

/**
 * Fisher's exact test: whether the second passes more or less often than the first. It takes the
 * number of passes of both together as given, so that its promise holds for the smallest numbers.
 */
export function fishersExactTest(first: Passes, second: Passes): FishersExactTest {
  if (!isCanonical(first, second)) {
    const { worse, better, twoSided } = fishersExactTest(second, first);
    return { worse: better, better: worse, twoSided };
  }
  const deals = computeDeals(first.judged, second.judged, first.passed + second.passed);
  const at = first.passed - deals.fewest;
  const better = sumOf(deals.chances.subarray(0, at + 1));
  // Two that are alike are their own mirror image, which adding up in another order would not show.
  const isAlike = first.judged === second.judged && first.passed === second.passed;
  const worse = isAlike ? better : sumOf(deals.chances.subarray(at));
  return { worse, better, twoSided: Math.min(1, 2 * Math.min(worse, better)) };
}

/**
 * The smallest two-sided value that this many passes could have come to, however they had fallen on
 * the two sides. It says whether the runs could have shown anything at all.
 */
export function smallestAttainable(first: Passes, second: Passes): number {
  const [fewer, more] = isCanonical(first, second) ? [first, second] : [second, first];
  const { chances } = computeDeals(fewer.judged, more.judged, fewer.passed + more.passed);
  return Math.min(1, 2 * Math.min(chances[0] ?? 1, chances.at(-1) ?? 1));
}

/** One order of the two for both directions: a mirrored question gets the same digits. */
function isCanonical(first: Passes, second: Passes): boolean {
  if (first.judged !== second.judged) return first.judged < second.judged;
  return first.passed <= second.passed;
}

function sumOf(chances: Float64Array): number {
  return Math.min(
    1,
    chances.reduce((sum, chance) => sum + chance, 0),
  );
}

/**
 * McNemar's exact test, two-sided: of pairs that changed, whether as many became better as worse.
 * Twice the smaller tail of a fair coin, and at most 1.
 */
export function exactMcNemarTest(becameWorse: number, becameBetter: number): number {
  const changed = becameWorse + becameBetter;
  const fewer = Math.min(becameWorse, becameBetter);
  if (2 * fewer >= changed) return 1;
  // From the middle of the tail outward by the ratio of neighbours, after the first in logarithms.
  let chance = Math.exp(logChoose(changed, fewer) - changed * Math.LN2);
  let tail = 0;
  for (let count = fewer; count >= 0 && chance > 0; count--) {
    tail += chance;
    chance *= count / (changed - count + 1);
  }
  return Math.min(1, 2 * tail);
}

function logChoose(n: number, k: number): number {
  let log = 0;
  for (let at = 1; at <= k; at++) log += Math.log((n - k + at) / at);
  return log;
}

/** What dealing runs to two sides can come to, if so many of all of them passed. */
interface Deals {
  /** Passes of the first side in the first of the deals; each has one more than the one before. */
  fewest: number;
  chances: Float64Array;
}

/** The hypergeometric distribution: how many of `passed` fall on the first of the two sides. */
export function computeDeals(firstJudged: number, secondJudged: number, passed: number): Deals {
  const fewest = Math.max(0, passed - secondJudged);
  const most = Math.min(passed, firstJudged);
  const chances = new Float64Array(most - fewest + 1);
  const ratioUp = (at: number) => {
    const count = fewest + at;
    const up = (passed - count) * (firstJudged - count);
    return up / ((count + 1) * (secondJudged - passed + count + 1));
  };
  // Outward from the most likely one, by the ratio of neighbours: nothing can overflow.
  const mode = ((passed + 1) * (firstJudged + 1)) / (firstJudged + secondJudged + 2);
  const start = Math.min(most, Math.max(fewest, Math.floor(mode))) - fewest;
  chances[start] = 1;
  for (let at = start; at < chances.length - 1; at++) {
    chances[at + 1] = (chances[at] ?? 0) * ratioUp(at);
  }
  for (let at = start; at > 0; at--) chances[at - 1] = (chances[at] ?? 0) / ratioUp(at - 1);
  const whole = chances.reduce((sum, chance) => sum + chance, 0);
  return { fewest, chances: chances.map((chance) => chance / whole) };
}

/**
 * Holm's step-down correction: what p-values of many tests count for when one false alarm among all
 * of them is one too many. In the order given; to be held against the level as they are.
 */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index);
  order.sort((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1));
  const adjusted = pValues.map(() => 1);
  let largest = 0;
  for (const [rank, index] of order.entries()) {
    largest = Math.max(largest, Math.min(1, (pValues.length - rank) * (pValues[index] ?? 1)));
    adjusted[index] = largest;
  }
  return adjusted;
}
