/** What a standard normal value does not exceed in such a share of all cases, from 0.5 to below 1. */
export function normalQuantile(share: number): number {
  let value = 0;
  // Newton's steps come from below and never go too far, as the distribution only flattens.
  for (let step = 0; step < 100; step += 1) {
    const next = value + (share - distribution(value)) / density(value);
    if (!(next > value)) break;
    value = next;
  }
  return value;
}

function density(value: number): number {
  return Math.exp(-(value ** 2) / 2) / Math.sqrt(2 * Math.PI);
}

/** By its series, all terms of which are positive: nothing is lost to rounding. */
function distribution(value: number): number {
  let term = value;
  let sum = value;
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= value ** 2 / odd;
    sum += term;
  }
  return 0.5 + density(value) * sum;
}
