import {
  makeSchedule,
  pauseSchedule,
  reserve,
  type Slot,
  settleCost,
  tryAdmit,
  type VirtualSchedule,
} from './gcra.js';
import type { Allowance, ModelName, Permit, RateLimiter } from './rate-limiter.js';

/** Keeps the limits of everybody in this process. */
export class LocalRateLimiter implements RateLimiter {
  readonly #allowanceOf: (of: ModelName) => Allowance;
  readonly #clock: Clock;
  readonly #lines = new Map<string, ModelQueue>();

  constructor(allowanceOf: (of: ModelName) => Allowance, clock: Clock = systemClock) {
    this.#allowanceOf = allowanceOf;
    this.#clock = clock;
  }

  acquire(of: ModelName, tokens: number, signal: AbortSignal): Promise<Permit> {
    return this.#lineOf(of).acquire(tokens, signal);
  }

  pause(of: ModelName, milliseconds: number): void {
    this.#lineOf(of).pause(milliseconds);
  }

  async close(): Promise<void> {
    for (const line of this.#lines.values()) line.close();
  }

  #lineOf(of: ModelName): ModelQueue {
    const key = JSON.stringify([of.provider, of.model]);
    const known = this.#lines.get(key);
    if (known) return known;
    const line = new ModelQueue(this.#allowanceOf(of), this.#clock);
    this.#lines.set(key, line);
    return line;
  }
}

interface Waiting {
  tokens: number;
  /** Taken when it is the first: whoever gives up before takes nothing from the others. */
  place?: Slot;
  go(place: Slot): void;
  giveUp(reason: unknown): void;
}

/** Those of this process who wait to ask one model. */
class ModelQueue {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #line: VirtualSchedule;
  #cancelTimer = () => {};

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
    this.#line = makeSchedule(clock.now());
  }

  async acquire(tokens: number, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const place = await this.#turn(tokens, signal);
    let isSettled = false;
    return {
      settle: (used) => {
        if (isSettled) return;
        isSettled = true;
        this.#line = settleCost(this.#line, place, used, this.#allowance);
        this.#letGo();
      },
    };
  }

  pause(milliseconds: number): void {
    this.#line = pauseSchedule(this.#line, this.#clock.now(), milliseconds, this.#allowance);
    this.#letGo();
  }

  close(): void {
    this.#cancelTimer();
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(new Error('the limits were closed'));
  }

  #turn(tokens: number, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
        this.#letGo();
      };
      const waiting: Waiting = {
        tokens,
        go(place) {
          signal.removeEventListener('abort', onAbort);
          resolve(place);
        },
        giveUp(reason) {
          signal.removeEventListener('abort', onAbort);
          reject(reason);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      this.#letGo();
    });
  }

  /** Lets those go whose turn it is, and looks again when it is that of the next. */
  #letGo(): void {
    this.#cancelTimer();
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      first.place ??= this.#join(first.tokens);
      const { line, waitMs } = tryAdmit(
        this.#line,
        this.#clock.now(),
        first.place,
        this.#allowance,
      );
      this.#line = line;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#letGo());
        return;
      }
      this.#waiting.shift();
      first.go(first.place);
    }
  }

  #join(tokens: number): Slot {
    const { line, place } = reserve(this.#line, tokens, this.#allowance);
    this.#line = line;
    return place;
  }
}

/** Time, as limits need it. */
export interface Clock {
  /** In milliseconds, from whenever. */
  now(): number;
  /** Calls back after so many milliseconds, unless what it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Longer than a timer can wait. */
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longest));
    return () => clearTimeout(timer);
  },
};
