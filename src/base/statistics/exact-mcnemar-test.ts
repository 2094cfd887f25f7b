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
