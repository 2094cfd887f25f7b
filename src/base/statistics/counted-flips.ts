/** Steps that counting may take, about half a second, and sums that it may keep. */
const maxSteps = 2e8;
const maxSums = 1e6;

/**
 * The share of all flips of signs of these whole numbers whose sum is as far from zero as their own,
 * or further. Counted sum by sum instead of flip by flip; undefined if that takes too long.
 */
export function countedFlips(values: readonly number[]): number | undefined {
  const sizes = values.map(Math.abs).sort((a, b) => a - b);
  const largest = sizes.reduce((total, size) => total + size, 0);
  if (largest > maxSums || largest * sizes.length > maxSteps) return undefined;
  // Flipping picks some for the positive side: their sum decides over the whole.
  let shares = new Float64Array(largest + 1);
  let next = new Float64Array(largest + 1);
  shares[0] = 1;
  let reached = 0;
  for (const size of sizes) {
    reached += size;
    for (let sum = 0; sum <= reached; sum++) {
      next[sum] = ((shares[sum] ?? 0) + (sum >= size ? (shares[sum - size] ?? 0) : 0)) / 2;
    }
    [shares, next] = [next, shares];
  }
  const observed = Math.abs(values.reduce((total, value) => total + value, 0));
  let asFar = 0;
  for (let sum = 0; sum <= largest; sum++) {
    if (Math.abs(2 * sum - largest) >= observed) asFar += shares[sum] ?? 0;
  }
  return Math.min(1, asFar);
}
