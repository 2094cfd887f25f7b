import { setMaxListeners } from 'node:events';

/** The longest time in milliseconds that a timer can wait. */
const longest = 2 ** 31 - 1;

/**
 * A signal that is aborted when time is up, or when the signal or limit above it is, whichever is first.
 * Waiting that is Proctor's doing does not count, neither here nor above.
 */
export class TimeLimit {
  readonly signal: AbortSignal;
  /** Why it was aborted. */
  stopped: 'timeout' | 'above' | undefined;
  readonly #controller = new AbortController();
  readonly #above: AbortSignal;
  readonly #limitAbove: TimeLimit | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds that were left when the clock was started. None: there is no limit. */
  #left: number | undefined;
  #startedAt = performance.now();
  #pauses = 0;
  #pausedAt = 0;
  #pausedMs = 0;

  constructor(above: AbortSignal | TimeLimit, milliseconds: number | undefined) {
    this.signal = this.#controller.signal;
    this.#limitAbove = above instanceof TimeLimit ? above : undefined;
    this.#above = above instanceof TimeLimit ? above.signal : above;
    // Everything under way listens: many are no leak, as Node would suspect.
    setMaxListeners(0, this.#above, this.signal);
    if (this.#above.aborted) this.#stop('above');
    this.#above.addEventListener('abort', this.#onAbove);
    if (milliseconds === undefined || milliseconds > longest) return;
    this.#left = milliseconds;
    this.#start();
  }

  /** Time that did not count, in milliseconds. */
  get pausedMs(): number {
    return this.#pausedMs + (this.#pauses > 0 ? performance.now() - this.#pausedAt : 0);
  }

  /** The clock stands still until that has settled, also while other things go on. */
  async offTheClock<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#pause();
    try {
      return await wait();
    } finally {
      this.#goOn();
    }
  }

  /** Nothing is to be stopped any more. */
  release(): void {
    this.#left = undefined;
    clearTimeout(this.#timer);
    this.#above.removeEventListener('abort', this.#onAbove);
  }

  readonly #onAbove = () => this.#stop('above');

  #start(): void {
    if (this.#left === undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(() => this.#stop('timeout'), this.#left);
  }

  #pause(): void {
    if (this.#limitAbove) this.#limitAbove.#pause();
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    this.#pausedAt = performance.now();
    clearTimeout(this.#timer);
    if (this.#left !== undefined) this.#left -= this.#pausedAt - this.#startedAt;
  }

  #goOn(): void {
    if (this.#limitAbove) this.#limitAbove.#goOn();
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#pausedMs += performance.now() - this.#pausedAt;
    this.#start();
  }

  #stop(why: 'timeout' | 'above'): void {
    this.stopped ??= why;
    this.#controller.abort();
  }
}
