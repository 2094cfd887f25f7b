/**
 * Several bins, of which the least loaded one is known at any time; of equal ones, the first. A heap,
 * as there may be as many bins as task runs.
 */
export class LeastLoaded {
  readonly #loads: Float64Array;
  /** Bins; none has less to carry than the one at (place - 1) / 2. */
  readonly #heap: Uint32Array;

  constructor(bins: number) {
    this.#loads = new Float64Array(bins);
    this.#heap = Uint32Array.from({ length: bins }, (_, bin) => bin);
  }

  /** Adds to the least loaded bin, and says which it was. */
  add(weight: number): number {
    const bin = this.#heap[0] ?? 0;
    this.#loads[bin] = this.#loadOf(bin) + weight;
    this.#sink(bin);
    return bin;
  }

  /** From the root, to where all below it carry more. */
  #sink(bin: number): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const below = this.#lesserOf(2 * place + 1, 2 * place + 2);
      const next = heap[below];
      if (next === undefined || !this.#isBefore(next, bin)) break;
      heap[place] = next;
      place = below;
    }
    heap[place] = bin;
  }

  #lesserOf(left: number, right: number): number {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    return one !== undefined && other !== undefined && this.#isBefore(other, one) ? right : left;
  }

  #isBefore(one: number, other: number): boolean {
    const difference = this.#loadOf(one) - this.#loadOf(other);
    return difference === 0 ? one < other : difference < 0;
  }

  #loadOf(bin: number): number {
    return this.#loads[bin] ?? 0;
  }
}
