import type { Clock } from '../../limits/local-rate-limiter.js';
import type { Permit } from '../../limits/rate-limiter.js';
import type { SharedLine } from './shared-line.js';

interface Waiting {
  number: number;
  tokens: number;
  go(): void;
  giveUp(reason: unknown): void;
}

/** How long it takes at most to see what other machines gave back. In milliseconds. */
const lookAgainAfter = 250;

/**
 * Those of this process who wait to ask one model. Only the first of them has a place in the line that
 * all machines share: so Redis is asked little, and whoever gives up before takes nothing from others.
 * Nobody goes without leave of Redis, so a pause of one machine holds for all of them at once.
 */
export class ProcessLine {
  readonly #shared: SharedLine;
  readonly #clock: Clock;
  readonly #waiting: Waiting[] = [];
  #numbers = 0;
  #isServing = false;
  #lookAgain = () => {};

  constructor(shared: SharedLine, clock: Clock) {
    this.#shared = shared;
    this.#clock = clock;
  }

  async acquire(tokens: number, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    await this.#turn(tokens, signal);
    let isSettled = false;
    return {
      settle: (used) => {
        if (isSettled) return;
        isSettled = true;
        this.#settle(tokens, used);
      },
    };
  }

  pause(milliseconds: number): Promise<void> {
    return this.#shared.pause(milliseconds);
  }

  close(): void {
    this.#giveUp(new Error('the limits were closed'));
  }

  #turn(tokens: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        const index = this.#waiting.indexOf(waiting);
        this.#waiting.splice(index, 1);
        reject(signal.reason);
        if (index === 0) this.#lookAgain();
      };
      this.#numbers += 1;
      const waiting: Waiting = {
        number: this.#numbers,
        tokens,
        go() {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
        giveUp(reason) {
          signal.removeEventListener('abort', onAbort);
          reject(reason);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiting);
      if (!this.#isServing) void this.#serve();
    });
  }

  /** Lets everybody go whose turn it is, one after the other, until nobody waits. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    try {
      for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
        const waitMs = await this.#shared.ask(first.number, first.tokens);
        if (waitMs > 0) {
          if (this.#waiting[0] === first) await this.#pass(Math.min(waitMs, lookAgainAfter));
        } else if (this.#waiting[0] === first) {
          this.#waiting.shift();
          first.go();
        } else {
          // It gave up while it was let go, and asks for nothing.
          this.#settle(first.tokens, 0);
        }
      }
    } catch (error) {
      // The connection was closed, or Redis does not know what we want: waiting on leads nowhere.
      this.#giveUp(error);
    } finally {
      this.#isServing = false;
    }
  }

  /** Settles after that time, or when there is a reason to look earlier. */
  async #pass(milliseconds: number): Promise<void> {
    let cancelTimer = () => {};
    await new Promise<void>((resolve) => {
      this.#lookAgain = resolve;
      cancelTimer = this.#clock.after(milliseconds, resolve);
    });
    cancelTimer();
  }

  #settle(estimate: number, used: number): void {
    // Where it cannot be told, others wait as long as the estimate says.
    this.#shared.settle(estimate, used).catch(() => {});
    this.#lookAgain();
  }

  #giveUp(reason: unknown): void {
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(reason);
    this.#lookAgain();
  }
}
