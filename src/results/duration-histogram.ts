/** Each bucket is 2 % wider than the one before it, so that is how exact a percentile is. */
const growth = 1.02;
/** In milliseconds: what is shorter falls into the first bucket. */
const shortest = 0.01;

/** Durations, counted in buckets: its size does not grow with how many there are. */
export class DurationHistogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(milliseconds: number): void {
    const bucket = Math.max(0, Math.ceil(Math.log(milliseconds / shortest) / Math.log(growth)));
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  /** The duration that a share of all, such as 0.95, does not exceed; undefined if there is none. */
  percentile(share: number): number | undefined {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (const bucket of [...this.#buckets.keys()].sort((left, right) => left - right)) {
      seen += this.#buckets.get(bucket) ?? 0;
      if (seen >= rank) return shortest * growth ** (bucket - 0.5);
    }
    return undefined;
  }
}
