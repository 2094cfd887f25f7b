import { dealsOf } from './hypergeometric.js';
import type { Passes } from './passes.js';

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
  const deals = dealsOf(first.judged, second.judged, first.passed + second.passed);
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
  const { chances } = dealsOf(fewer.judged, more.judged, fewer.passed + more.passed);
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
