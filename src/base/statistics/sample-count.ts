/** Draws of one sample after the other that take about a second. */
const maxDraws = 5e7;

/** How many samples to take, if each takes so many draws. */
export function sampleCount(draws: number): number {
  return Math.max(9_999, Math.min(99_999, Math.floor(maxDraws / Math.max(1, draws))));
}
