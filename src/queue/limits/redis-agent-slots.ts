import type { Redis } from 'ioredis';
import type { AgentSlots } from '../../limits/limits.js';
import { type Clock, systemClock } from '../../limits/local-rate-limiter.js';
import { type AgentLineOptions, AgentTicket } from './agent-ticket.js';
import { isUnavailableForNow } from './redis-unavailable.js';

export interface RedisAgentSlotsOptions extends Omit<AgentLineOptions, 'now'> {
  /** In place of the time of Redis, which all machines share. */
  clock?: Clock;
}

/** How long it takes at most to see that a slot came free. In milliseconds. */
const lookAgainAfter = 100;

/** Slots for the agents of all processes that use the same Redis and the same prefix. */
export class RedisAgentSlots implements AgentSlots {
  readonly #redis: Redis;
  readonly #options: AgentLineOptions;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #leaving = new Set<() => void>();

  constructor(redis: Redis, { clock, ...options }: RedisAgentSlotsOptions) {
    this.#redis = redis;
    this.#options = { ...options, ...(clock && { now: () => clock.now() }) };
    this.#clock = clock ?? systemClock;
  }

  async enter(signal: AbortSignal): Promise<() => void> {
    const stopping = AbortSignal.any([signal, this.#closing.signal]);
    stopping.throwIfAborted();
    const ticket = new AgentTicket(this.#redis, this.#options);
    try {
      while (!(await unlessAborted(this.#isIn(ticket), stopping))) {
        await this.#pass(lookAgainAfter, stopping);
      }
    } catch (error) {
      leaveInTime(ticket);
      throw error;
    }
    return this.#hold(ticket);
  }

  /** Nobody waits any more, and nobody holds a slot. */
  close(): void {
    this.#closing.abort(new Error('the limits were closed'));
    for (const leave of this.#leaving) leave();
  }

  async #isIn(ticket: AgentTicket): Promise<boolean> {
    try {
      return await ticket.enter();
    } catch (error) {
      if (isUnavailableForNow(error)) return false;
      throw error;
    }
  }

  /** Renews its lease until it leaves. */
  #hold(ticket: AgentTicket): () => void {
    let hasLeft = false;
    let cancelTimer = () => {};
    const renewLater = () => {
      if (hasLeft) return;
      cancelTimer = this.#clock.after(this.#options.leaseMs / 3, () => {
        // Whatever is wrong with Redis, the agent works, and the next time it may be told.
        ticket.renew().then(renewLater, renewLater);
      });
    };
    renewLater();
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      cancelTimer();
      this.#leaving.delete(leave);
      leaveInTime(ticket);
    };
    this.#leaving.add(leave);
    return leave;
  }

  async #pass(milliseconds: number, signal: AbortSignal): Promise<void> {
    let cancelTimer = () => {};
    const passed = new Promise<void>((resolve) => {
      cancelTimer = this.#clock.after(milliseconds, resolve);
    });
    try {
      await unlessAborted(passed, signal);
    } finally {
      cancelTimer();
    }
  }
}

/** Where it cannot be told, the slot comes free with the end of the lease. */
function leaveInTime(ticket: AgentTicket): void {
  ticket.leave().catch(() => {});
}

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
