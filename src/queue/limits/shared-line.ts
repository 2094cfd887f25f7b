import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Allowance } from '../../limits/rate-limiter.js';
import { isUnavailableForNow } from './redis-unavailable.js';
import { requestLineScript } from './request-line-script.js';

export interface SharedLineOptions {
  /** Of the hash that holds it. */
  key: string;
  allowance: Allowance;
  /** How long it is kept when nobody uses it any more. */
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
