import { normalQuantile } from './normal-quantile.js';

export interface Interval {
  low: number;
  high: number;
}

const usual = 0.95;
const usualQuantile = normalQuantile((1 + usual) / 2);

/**
 * Wilson's score interval of a proportion: it stays within 0 and 1, and says something of few trials
 * and of none that failed. Undefined without trials.
 */
export function wilsonInterval(
  successes: number,
  trials: number,
  confidence = usual,
): Interval | undefined {
  if (trials === 0) return undefined;
  const z = confidence === usual ? usualQuantile : normalQuantile((1 + confidence) / 2);
  const rate = successes / trials;
  const weight = z ** 2 / trials;
  const center = rate + weight / 2;
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + weight / (4 * trials));
  return {
    // The ends themselves: rounding must not take them away.
    low: successes === 0 ? 0 : (center - spread) / (1 + weight),
    high: successes === trials ? 1 : (center + spread) / (1 + weight),
  };
}
