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

/** Keeps the limits of all models that this process asks. */
export class LocalRateLimiter implements RateLimiter {
  readonly #findAllowance: (model: ModelName) => Allowance;
  readonly #clock: Clock;
  readonly #queues = new Map<string, ModelQueue>();

  constructor(findAllowance: (model: ModelName) => Allowance, clock: Clock = systemClock) {
    this.#findAllowance = findAllowance;
    this.#clock = clock;
  }

  acquire(model: ModelName, tokens: number, signal: AbortSignal): Promise<Permit> {
    return this.#queueFor(model).acquire(tokens, signal);
  }

  pause(model: ModelName, milliseconds: number): void {
    this.#queueFor(model).pause(milliseconds);
  }

  async close(): Promise<void> {
    for (const queue of this.#queues.values()) queue.close();
  }

  #queueFor(model: ModelName): ModelQueue {
    const key = JSON.stringify([model.provider, model.model]);
    const known = this.#queues.get(key);
    if (known) return known;
    const queue = new ModelQueue(this.#findAllowance(model), this.#clock);
    this.#queues.set(key, queue);
    return queue;
  }
}

interface Waiting {
  tokens: number;
  /** Reserved only at the head of the queue: a request that is aborted before costs the others nothing. */
  place?: Slot;
  go(place: Slot): void;
  giveUp(reason: unknown): void;
}

/** The requests of this process that wait to be sent to one model. */
class ModelQueue {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #schedule: VirtualSchedule;
  #cancelTimer = () => {};

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
    this.#schedule = makeSchedule(clock.now());
  }

  async acquire(tokens: number, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const place = await this.#wait(tokens, signal);
    let isSettled = false;
    return {
      settle: (used) => {
        if (isSettled) return;
        isSettled = true;
        this.#schedule = settleCost(this.#schedule, place, used, this.#allowance);
        this.#admitNext();
      },
    };
  }

  pause(milliseconds: number): void {
    this.#schedule = pauseSchedule(
      this.#schedule,
      this.#clock.now(),
      milliseconds,
      this.#allowance,
    );
    this.#admitNext();
  }

  close(): void {
    this.#cancelTimer();
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(new Error('the limits were closed'));
  }

  #wait(tokens: number, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal.reason);
        this.#admitNext();
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
      this.#admitNext();
    });
  }

  /** Admits the requests whose time has come, and sets a timer for the next. */
  #admitNext(): void {
    this.#cancelTimer();
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      first.place ??= this.#reserve(first.tokens);
      const { line, waitMs } = tryAdmit(
        this.#schedule,
        this.#clock.now(),
        first.place,
        this.#allowance,
      );
      this.#schedule = line;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#admitNext());
        return;
      }
      this.#waiting.shift();
      first.go(first.place);
    }
  }

  #reserve(tokens: number): Slot {
    const { line, place } = reserve(this.#schedule, tokens, this.#allowance);
    this.#schedule = line;
    return place;
  }
}

/** The time source of limits, replaced in tests. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  /** Calls back after so many milliseconds, unless what it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that a timer of Node can have. */
const maxTimerDelay = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, maxTimerDelay));
    return () => clearTimeout(timer);
  },
};
