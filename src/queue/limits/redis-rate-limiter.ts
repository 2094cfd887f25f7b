import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { type Clock, systemClock } from '../../limits/local-rate-limiter.js';
import {
  type Allowance,
  formatModel,
  type ModelName,
  type Permit,
  type RateLimiter,
} from '../../limits/rate-limiter.js';
import { isUnavailableForNow } from '../redis-connection.js';
import { requestLineScript } from './request-line-script.js';

export interface RedisRateLimiterOptions {
  /** Begins all keys of the run. */
  prefix: string;
  /** How long a key is kept when it is not used any more. */
  keepMs: number;
  findAllowance: (of: ModelName) => Allowance;
  /** In place of the time of Redis, which all machines share. */
  clock?: Clock;
}

/** Keeps the limits of all processes that use the same Redis and the same prefix. */
export class RedisRateLimiter implements RateLimiter {
  readonly #redis: Redis;
  readonly #options: RedisRateLimiterOptions;
  readonly #lines = new Map<string, ProcessLine>();

  constructor(redis: Redis, options: RedisRateLimiterOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  acquire(of: ModelName, tokens: number, signal: AbortSignal): Promise<Permit> {
    return this.#lineOf(of).acquire(tokens, signal);
  }

  pause(of: ModelName, milliseconds: number): Promise<void> {
    return this.#lineOf(of).pause(milliseconds);
  }

  async close(): Promise<void> {
    for (const line of this.#lines.values()) line.close();
  }

  #lineOf(of: ModelName): ProcessLine {
    const { prefix, keepMs, findAllowance, clock } = this.#options;
    const key = `${prefix}:rate:${formatModel(of)}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const allowance = findAllowance(of);
    const now = clock && (() => clock.now());
    const shared = new SharedLine(this.#redis, { key, allowance, keepMs, ...(now && { now }) });
    const line = new ProcessLine(shared, clock ?? systemClock);
    this.#lines.set(key, line);
    return line;
  }
}

interface SharedLineOptions {
  /** The hash that holds it. */
  key: string;
  allowance: Allowance;
  /** How long it is kept when it is not used any more. */
  keepMs: number;
  /** What time it is, where that is not for Redis to say. */
  now?: () => number;
}

/** Milliseconds. */
const askAgainAfter = 1_000;

/**
 * The line of one model in Redis, as one client of it sees it. Each step waits for a connection that
 * broke, and is taken once.
 */
export class SharedLine {
  readonly #redis: Redis;
  readonly #options: SharedLineOptions;
  readonly #client = randomUUID();
  #settled = 0;

  constructor(redis: Redis, options: SharedLineOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  /**
   * Lets the request of that number go: 0. Else it has a place from now on, unless it had one, and the
   * answer is the milliseconds to wait. A client asks for one request after the other.
   */
  async ask(number: number, tokens: number): Promise<number> {
    try {
      return Number(await this.#step('ask', this.#client, number, tokens));
    } catch (error) {
      if (isUnavailableForNow(error)) return askAgainAfter;
      throw error;
    }
  }

  async settle(estimate: number, tokens: number): Promise<void> {
    this.#settled += 1;
    await this.#step('settle', this.#client, this.#settled, estimate, tokens);
  }

  async pause(milliseconds: number): Promise<void> {
    await this.#step('pause', milliseconds);
  }

  #step(...step: (string | number)[]): Promise<unknown> {
    const { key, allowance, keepMs, now } = this.#options;
    const { requestsPerMinute = '', tokensPerMinute = '' } = allowance;
    const settings = [keepMs, requestsPerMinute, tokensPerMinute, now?.() ?? ''];
    return requestLineScript.run(this.#redis, [key], [...settings, ...step]);
  }
}

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
 * all machines share: so Redis is asked little, and a caller that gives up before takes nothing from others.
 * No request goes without leave of Redis, so a pause of one machine holds for all of them at once.
 */
class ProcessLine {
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

  /** Lets all requests go whose turn it is, one after the other, until none waits. */
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
    // Where Redis cannot be reached, others wait as long as the estimate says.
    this.#shared.settle(estimate, used).catch(() => {});
    this.#lookAgain();
  }

  #giveUp(reason: unknown): void {
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(reason);
    this.#lookAgain();
  }
}
