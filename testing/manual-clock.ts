import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../src/limits/local-rate-limiter.js';

/** Time that passes when a test says so. */
export class ManualClock implements Clock {
  readonly #timers = new Set<{ at: number; callback: () => void }>();
  readonly #quiet: () => Promise<unknown>;
  #now = 0;

  /** `quiet` settles when nothing happens any more unless time passes. */
  constructor(quiet: () => Promise<unknown> = setImmediate) {
    this.#quiet = quiet;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Whatever is due until then happens in its order, with what follows from it. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await this.#quiet();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await this.#quiet();
    }
    this.#now = end;
  }

  #next(end: number) {
    const due = [...this.#timers].filter(({ at }) => at <= end);
    return due.sort((left, right) => left.at - right.at)[0];
  }
}
