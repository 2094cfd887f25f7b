import { fishersExactTest } from '../../base/statistics/exact-tests.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import { leastJudged } from './level.js';

/** More runs than this nobody adds. */
const mostRuns = 500;

/**
 * How many more judged runs on each side would settle it at this level, if both rates stay as they
 * are. Where the rates are alike, how many are missing for a verdict. Null: none, or too many.
 */
export function moreRuns(sides: { base: Passes; current: Passes }, level: number): number | null {
  const { base, current } = sides;
  const missing = leastJudged - Math.min(base.judged, current.judged);
  const isAlike = base.passed * current.judged === current.passed * base.judged;
  if (isAlike) return missing > 0 ? missing : null;
  const isSettledBy = (runs: number) => {
    const test = fishersExactTest(grown(base, runs), grown(current, runs));
    return test.twoSided <= level;
  };
  if (!isSettledBy(mostRuns)) return null;
  let tooFew = Math.max(0, missing - 1);
  let enough = mostRuns;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isSettledBy(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

function grown({ passed, judged }: Passes, runs: number): Passes {
  return { passed: Math.round((passed / judged) * (judged + runs)), judged: judged + runs };
}
