/** How many of a number of judged runs passed. */
export interface Passes {
  passed: number;
  judged: number;
}

/**
 * pass@k: the chance that at least one of k runs passes, from c of n judged runs that passed. The
 * unbiased estimator 1 - C(n-c, k) / C(n, k); it needs at least k runs.
 */
export function passAtK(n: number, c: number, k: number): number {
  return 1 - shareOfDraws(n, n - c, k);
}

/** pass^k: the chance that all of k runs pass. The unbiased estimator C(c, k) / C(n, k). */
export function passHatK(n: number, c: number, k: number): number {
  return shareOfDraws(n, c, k);
}

/** C(kept, k) / C(n, k): how many of the draws of k out of n take only from those kept. */
function shareOfDraws(n: number, kept: number, k: number): number {
  if (k < 1 || k > n) throw new RangeError(`k is ${k}: expected 1 to ${n}, the number of runs`);
  let share = 1;
  for (let drawn = 0; drawn < k && share > 0; drawn++) {
    share *= Math.max(kept - drawn, 0) / (n - drawn);
  }
  return share;
}
