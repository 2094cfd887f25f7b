import { setMaxListeners } from 'node:events';

/** Longer than a timer can wait, and than anybody does. */
const longest = 2 ** 31 - 1;

/** A signal that is aborted when time is up, or when the signal above it is, whichever is first. */
export class TimeLimit {
  readonly signal: AbortSignal;
  /** Why it was aborted. */
  stopped: 'timeout' | 'above' | undefined;
  readonly #controller = new AbortController();
  readonly #above: AbortSignal;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(above: AbortSignal, milliseconds: number | undefined) {
    this.signal = this.#controller.signal;
    this.#above = above;
    // Everything under way listens: many are no leak, as Node would suspect.
    setMaxListeners(0, above, this.signal);
    if (above.aborted) this.#stop('above');
    above.addEventListener('abort', this.#onAbove);
    if (milliseconds === undefined || milliseconds > longest) return;
    this.#timer = setTimeout(() => this.#stop('timeout'), milliseconds);
  }

  /** Nothing is to be stopped any more. */
  release(): void {
    clearTimeout(this.#timer);
    this.#above.removeEventListener('abort', this.#onAbove);
  }

  readonly #onAbove = () => this.#stop('above');

  #stop(why: 'timeout' | 'above'): void {
    this.stopped ??= why;
    this.#controller.abort();
  }
}
