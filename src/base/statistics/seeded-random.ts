/**
 * Numbers from 0 to below 1 that look random, and are the same for the same seed (a whole number of
 * 32 bits) on every machine. Marsaglia's xorshift128 with the seed spread over its state.
 */
export function seededRandom(seed: number): () => number {
  const state = [0, 1, 2, 3].map((place) => mixed(seed + place * 0x9e3779b9) || 1);
  let [a = 1, b = 1, c = 1, d = 1] = state;
  return () => {
    const shifted = a ^ (a << 11);
    a = b;
    b = c;
    c = d;
    d = (d ^ (d >>> 19) ^ shifted ^ (shifted >>> 8)) >>> 0;
    return d / 0x1_0000_0000;
  };
}

/** Every bit of the seed decides over every bit of the state: the finalizer of MurmurHash3. */
function mixed(seed: number): number {
  let hash = seed >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
