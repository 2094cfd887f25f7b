import type { Redis } from 'ioredis';
import { type Clock, systemClock } from '../../limits/local-rate-limiter.js';
import {
  type Allowance,
  formatModel,
  type ModelName,
  type Permit,
  type RateLimiter,
} from '../../limits/rate-limiter.js';
import { ProcessLine } from './process-line.js';
import { SharedLine } from './shared-line.js';

export interface RedisRateLimiterOptions {
  /** Of all keys of the run. */
  prefix: string;
  /** How long a key is kept when nobody uses it any more. */
  keepMs: number;
  allowanceOf: (of: ModelName) => Allowance;
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
    const { prefix, keepMs, allowanceOf, clock } = this.#options;
    const key = `${prefix}:rate:${formatModel(of)}`;
    const known = this.#lines.get(key);
    if (known) return known;
    const allowance = allowanceOf(of);
    const now = clock && (() => clock.now());
    const shared = new SharedLine(this.#redis, { key, allowance, keepMs, ...(now && { now }) });
    const line = new ProcessLine(shared, clock ?? systemClock);
    this.#lines.set(key, line);
    return line;
  }
}
