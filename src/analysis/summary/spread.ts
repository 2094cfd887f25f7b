import type { Spread } from './summary.js';

/** Null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((left, right) => left - right);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  // The value that such a share of all does not exceed.
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? max;
  return { mean, p50: percentile(0.5), p95: percentile(0.95), max };
}
