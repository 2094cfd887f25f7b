import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { AgentSlots } from '../../limits/limits.js';
import { type Clock, systemClock } from '../../limits/local-rate-limiter.js';
import { isUnavailableForNow, RedisScript } from '../redis-connection.js';

/**
 * A line of tickets in the order in which they were drawn; the first of them hold the slots. Each has a
 * lease, and a holder that does not renew it is out of the line. Each step can be asked for again.
 *
 * Leases are kept in a time of their own, which goes on with each step, by half a lease at most: when
 * Redis was away no lease could be renewed, and all would be taken for dead.
 *
 * KEYS: the line, its leases, its clock
 * ARGV: milliseconds to keep them, the time in milliseconds (empty: that of Redis), milliseconds of a
 *   lease, the step, the ticket, and then:
 *
 * - `enter`, slots: draws the ticket if it is new, renews its lease, and returns its number, and whether
 *   it holds a slot.
 * - `renew`, number: renews the lease. Who was taken for dead and was not gets its old place: it works, so
 *   other agents have to wait.
 * - `leave`: only this ticket. The slot of a ticket that is out already is that of another by now.
 */
const agentLineScript = new RedisScript(`
local line, leases, clock = unpack(KEYS)
local lease, step, ticket = tonumber(ARGV[3]), ARGV[4], ARGV[5]

local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local before = redis.call('HMGET', clock, 'at', 'time')
local passed = math.min(math.max(now - (tonumber(before[1]) or now), 0), lease / 2)
local time = (tonumber(before[2]) or 0) + passed
redis.call('HSET', clock, 'at', now, 'time', time)

if step ~= 'leave' then redis.call('ZADD', leases, time + lease, ticket) end
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', time)) do
  redis.call('ZREM', line, dead)
  redis.call('ZREM', leases, dead)
end

local answer = {}
if step == 'enter' then
  local number = redis.call('ZSCORE', line, ticket)
  if not number then
    number = redis.call('HINCRBY', clock, 'drawn', 1)
    redis.call('ZADD', line, number, ticket)
  end
  local isIn = redis.call('ZRANK', line, ticket) < tonumber(ARGV[6])
  answer = {tonumber(number), isIn and 1 or 0}
elseif step == 'renew' then
  redis.call('ZADD', line, ARGV[6], ticket)
elseif step == 'leave' then
  redis.call('ZREM', line, ticket)
  redis.call('ZREM', leases, ticket)
else
  return redis.error_reply('ERR no such step: ' .. step)
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return answer
`);

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

  /** Ends all waiting, and frees all slots of this process. */
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
        // Whatever is wrong with Redis, the agent works, and the next renewal may succeed.
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

/** Where Redis cannot be reached, the slot comes free with the end of the lease. */
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

interface AgentLineOptions {
  /** Begins all keys of the run. */
  prefix: string;
  /** How long keys are kept when they are not used any more. */
  keepMs: number;
  /** How many agents may work at once, wherever they are. */
  slots: number;
  /** A slot comes free so long after the last sign of life of its holder. */
  leaseMs: number;
  /** What time it is, where that is not for Redis to say. */
  now?: () => number;
}

/** One place in the line for slots that is kept in Redis. */
export class AgentTicket {
  readonly #redis: Redis;
  readonly #options: AgentLineOptions;
  readonly #id = randomUUID();
  #number = 0;
  /** One step at a time: none that was on its way comes after the one that leaves. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(redis: Redis, options: AgentLineOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  /** Gets in line at first. Whether it holds a slot by now. */
  async enter(): Promise<boolean> {
    const [number, isIn] = (await this.#step('enter', this.#options.slots)) as [number, number];
    this.#number = number;
    return isIn === 1;
  }

  async renew(): Promise<void> {
    await this.#step('renew', this.#number);
  }

  async leave(): Promise<void> {
    await this.#step('leave');
  }

  #step(step: string, ...args: number[]): Promise<unknown> {
    const { prefix, keepMs, leaseMs, now } = this.#options;
    const keys = [`${prefix}:agents:line`, `${prefix}:agents:leases`, `${prefix}:agents:clock`];
    const take = () => {
      const settings = [keepMs, now?.() ?? '', leaseMs, step, this.#id];
      return agentLineScript.run(this.#redis, keys, [...settings, ...args]);
    };
    this.#last = this.#last.then(take, take);
    return this.#last;
  }
}
