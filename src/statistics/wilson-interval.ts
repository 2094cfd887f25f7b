export interface Interval {
  low: number;
  high: number;
}

/** Standard normal quantile that leaves 95 percent between itself and its negative. */
const z = 1.959963984540054;

/**
 * Wilson's score interval (95 percent) of a proportion: it stays within 0 and 1, and says something
 * of few trials and of none that failed. Undefined without trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
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
