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
import { isUnavailableForNow, RedisScript } from '../redis-connection.js';

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

/**
 * The steps of src/limits/gcra.ts, number by number, as Redis takes them: a hash holds the line
 * of one model. Besides, it holds for each client which of its requests has a place, and what it settled
 * last: when a connection breaks it is not known whether a step was taken, and each can be asked for again.
 *
 * KEYS: the line
 * ARGV: milliseconds to keep it, requests per minute, tokens per minute (empty: no limit), the time in
 *   milliseconds (empty: that of Redis), then the step:
 *
 * - `ask`, client, number, tokens: gets a place for the request of that number, unless it has one, and
 *   goes if it is the time for it. Returns 0 then, else the milliseconds to wait as things are.
 * - `settle`, client, number, tokens that it was thought to take, tokens that it took.
 * - `pause`, milliseconds.
 */
export const requestLineScript = new RedisScript(`
local key, step = KEYS[1], ARGV[5]
local requestsPerMinute, tokensPerMinute = tonumber(ARGV[2]), tonumber(ARGV[3])
local minute, rounding = 60000, 1e-6

local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local names = {'at', 'pausedUntil', 'requestsPaid', 'requestsGone', 'requestsJoined',
  'tokensPaid', 'tokensGone', 'tokensJoined'}
local line = {}
for index, value in ipairs(redis.call('HMGET', key, unpack(names))) do
  line[names[index]] = tonumber(value) or (index <= 2 and now or 0)
end

-- As many digits as it takes to get the same number back.
local function text(number) return string.format('%.17g', number) end

local function countedTokens(tokens)
  return math.min(math.max(tonumber(tokens), 0), tokensPerMinute or 1.7976931348623157e308)
end

local function moveToNow()
  if now < line.at then
    line.pausedUntil = line.pausedUntil - (line.at - now)
  else
    local from = math.max(line.at, math.min(line.pausedUntil, now))
    local minutes = (now - from) / minute
    line.requestsPaid = line.requestsPaid + minutes * (requestsPerMinute or 0)
    line.tokensPaid = line.tokensPaid + minutes * (tokensPerMinute or 0)
  end
  line.at = now
end

local function timeTo(distance, perMinute)
  if not perMinute or distance <= 0 then return 0 end
  return (distance / perMinute) * minute
end

local function join(tokens)
  local place = {line.requestsJoined, line.tokensJoined, countedTokens(tokens)}
  line.requestsJoined = line.requestsJoined + 1
  line.tokensJoined = line.tokensJoined + place[3]
  return unpack(place)
end

local function goFrom(requests, tokens, takes)
  moveToNow()
  local spareRequests = math.max(0, (requestsPerMinute or 0) / 60 - 1)
  local spareTokens = (tokensPerMinute or 0) / 60
  line.requestsPaid = math.min(line.requestsPaid, math.max(line.requestsGone + spareRequests, requests))
  line.tokensPaid = math.min(line.tokensPaid, math.max(line.tokensGone + spareTokens, tokens))
  local wait = math.max(0, line.pausedUntil - now) + math.max(
    timeTo(requests - line.requestsPaid, requestsPerMinute),
    timeTo(tokens - line.tokensPaid, tokensPerMinute))
  if wait > rounding then return math.ceil(wait - rounding) end
  line.requestsGone = math.max(line.requestsGone, requests + 1)
  line.tokensGone = math.max(line.tokensGone, tokens + takes)
  return 0
end

local answer = 0
if step == 'ask' then
  local field, number = 'asked:' .. ARGV[6], ARGV[7]
  local asked, requests, tokens, takes =
    string.match(redis.call('HGET', key, field) or '', '^(%S+) (%S+) (%S+) (%S+)$')
  if asked == number then
    requests, tokens, takes = tonumber(requests), tonumber(tokens), tonumber(takes)
  else
    requests, tokens, takes = join(ARGV[8])
    local place = table.concat({text(requests), text(tokens), text(takes)}, ' ')
    redis.call('HSET', key, field, number .. ' ' .. place)
  end
  answer = goFrom(requests, tokens, takes)
elseif step == 'settle' then
  local field, number = 'settled:' .. ARGV[6], tonumber(ARGV[7])
  if number > tonumber(redis.call('HGET', key, field) or '0') then
    redis.call('HSET', key, field, ARGV[7])
    line.tokensPaid = line.tokensPaid + (countedTokens(ARGV[8]) - countedTokens(ARGV[9]))
  end
elseif step == 'pause' then
  moveToNow()
  line.pausedUntil = math.max(line.pausedUntil, now + tonumber(ARGV[6]))
  line.requestsPaid = math.min(line.requestsPaid, line.requestsGone)
  line.tokensPaid = math.min(line.tokensPaid, line.tokensGone)
else
  return redis.error_reply('ERR no such step: ' .. step)
end

local fields = {}
for index, name in ipairs(names) do
  fields[2 * index - 1] = name
  fields[2 * index] = text(line[name])
end
redis.call('HSET', key, unpack(fields))
redis.call('PEXPIRE', key, ARGV[1])
return answer
`);
