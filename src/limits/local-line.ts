import type { Allowance } from './allowance.js';
import type { Clock } from './clock.js';
import type { Permit } from './rate-limiter.js';
import {
  emptyLine,
  goFrom,
  join,
  type PlaceInLine,
  pause,
  type RequestLine,
  settle,
} from './request-line.js';

interface Waiting {
  tokens: number;
  /** Taken when it is the first: whoever gives up before takes nothing from the others. */
  place?: PlaceInLine;
  go(place: PlaceInLine): void;
  giveUp(reason: unknown): void;
}

/** Those of this process who wait to ask one model. */
export class LocalLine {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #line: RequestLine;
  #cancelTimer = () => {};

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
    this.#line = emptyLine(clock.now());
  }

  async acquire(tokens: number, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const place = await this.#turn(tokens, signal);
    let isSettled = false;
    return {
      settle: (used) => {
        if (isSettled) return;
        isSettled = true;
        this.#line = settle(this.#line, place, used, this.#allowance);
        this.#letGo();
      },
    };
  }

  pause(milliseconds: number): void {
    this.#line = pause(this.#line, this.#clock.now(), milliseconds, this.#allowance);
    this.#letGo();
  }

  close(): void {
    this.#cancelTimer();
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(new Error('the limits were closed'));
  }

  #turn(tokens: number, signal: AbortSignal): Promise<PlaceInLine> {
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
      const { line, waitMs } = goFrom(this.#line, this.#clock.now(), first.place, this.#allowance);
      this.#line = line;
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.#letGo());
        return;
      }
      this.#waiting.shift();
      first.go(first.place);
    }
  }

  #join(tokens: number): PlaceInLine {
    const { line, place } = join(this.#line, tokens, this.#allowance);
    this.#line = line;
    return place;
  }
}
