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
