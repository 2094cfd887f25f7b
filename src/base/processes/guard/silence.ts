/** However late a look is, it counts for no more of them than this. */
const mostLooks = 2;

/**
 * How long nothing was heard, in time in which we were there to hear it. Somebody who looks far later
 * than planned was frozen himself, with the machine or the container around him, and so was the
 * other side: it gets the time to speak again.
 */
export class Silence {
  readonly #limit: number;
  readonly #lookEvery: number;
  #lastLook: number;
  #length = 0;

  /** All in milliseconds. */
  constructor({ limit, lookEvery, now }: { limit: number; lookEvery: number; now: number }) {
    this.#limit = limit;
    this.#lookEvery = lookEvery;
    this.#lastLook = now;
  }

  heard(): void {
    this.#length = 0;
  }

  /** To be asked at the interval that was told. */
  isTooLong(now: number): boolean {
    this.#length += Math.min(now - this.#lastLook, mostLooks * this.#lookEvery);
    this.#lastLook = now;
    return this.#length > this.#limit;
  }
}
