import type { Allowance } from './allowance.js';
import { type Clock, systemClock } from './clock.js';
import { LocalLine } from './local-line.js';
import type { ModelName, Permit, RateLimiter } from './rate-limiter.js';

/** Keeps the limits of everybody in this process. */
export class LocalRateLimiter implements RateLimiter {
  readonly #allowanceOf: (of: ModelName) => Allowance;
  readonly #clock: Clock;
  readonly #lines = new Map<string, LocalLine>();

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

  #lineOf(of: ModelName): LocalLine {
    const key = JSON.stringify([of.provider, of.model]);
    const known = this.#lines.get(key);
    if (known) return known;
    const line = new LocalLine(this.#allowanceOf(of), this.#clock);
    this.#lines.set(key, line);
    return line;
  }
}
