import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  makeSchedule,
  pauseSchedule,
  reserve,
  type Slot,
  settleCost,
  tryAdmit,
  type VirtualSchedule,
} from '../../src/limits/gcra.js';
import type { Allowance } from '../../src/limits/rate-limiter.js';
import { requestLineScript, SharedLine } from '../../src/queue/limits/redis-rate-limiter.js';
import { RedisServer } from '../support/redis-server.js';

let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await RedisServer.start();
  redis = new Redis(server.url);
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

const clients = 3;
const client = fc.nat({ max: clients - 1 });
const tokens = fc.oneof(fc.nat({ max: 20_000 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
const perMinute = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 6_000 }),
  fc.double({ min: 0.01, max: 1e6, noNaN: true }),
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('ask' as const), client, tokens }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle' as const), client, tokens }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pause' as const), milliseconds: fc.nat(90_000) }),
  },
  // A clock can be set back.
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      milliseconds: fc.oneof(fc.nat(5_000), fc.integer({ min: -30_000, max: 120_000 })),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

interface Asking {
  number: number;
  tokens: number;
  /** Of the request under way. None: the next time a new one is asked for. */
  place?: Slot;
  gone: { place: Slot; tokens: number }[];
}

/** The same steps, taken by the functions of a line and by Redis. */
class BothLines {
  #now = 1_790_000_000_000;
  #line: VirtualSchedule | undefined;
  readonly #allowance: Allowance;
  readonly #key: string;
  readonly #shared: SharedLine[];
  readonly #asking: Asking[] = Array.from({ length: clients }, () => ({
    number: 0,
    tokens: 0,
    gone: [],
  }));

  constructor(key: string, allowance: Allowance) {
    this.#allowance = allowance;
    this.#key = key;
    const options = { key, allowance, keepMs: 60_000, now: () => this.#now };
    this.#shared = this.#asking.map(() => new SharedLine(redis, options));
  }

  async take(next: Step): Promise<void> {
    if (next.kind === 'wait') this.#now += next.milliseconds;
    else if (next.kind === 'pause') await this.#pause(next.milliseconds);
    else if (next.kind === 'ask') await this.#ask(next.client, next.tokens);
    else await this.#settle(next.client, next.tokens);
  }

  async expectSame(): Promise<void> {
    const stored = await redis.hgetall(this.#key);
    const numbers = Object.entries(stored).filter(([name]) => !name.includes(':'));
    expect(Object.fromEntries(numbers.map(([name, text]) => [name, Number(text)]))).toEqual(
      this.#line ? fieldsOf(this.#line) : {},
    );
  }

  async #ask(client: number, wanted: number): Promise<void> {
    const asking = this.#asking[client] as Asking;
    this.#line ??= makeSchedule(this.#now);
    if (!asking.place) {
      asking.number += 1;
      asking.tokens = wanted;
      const { line, place } = reserve(this.#line, wanted, this.#allowance);
      this.#line = line;
      asking.place = place;
    }
    const { line, waitMs } = tryAdmit(this.#line, this.#now, asking.place, this.#allowance);
    this.#line = line;
    expect(await this.#shared[client]?.ask(asking.number, asking.tokens)).toBe(waitMs);
    if (waitMs > 0) return;
    asking.gone.push({ place: asking.place, tokens: asking.tokens });
    delete asking.place;
  }

  async #settle(client: number, used: number): Promise<void> {
    const request = this.#asking[client]?.gone.pop();
    if (!request || !this.#line) return;
    this.#line = settleCost(this.#line, request.place, used, this.#allowance);
    await this.#shared[client]?.settle(request.tokens, used);
  }

  async #pause(milliseconds: number): Promise<void> {
    const line = this.#line ?? makeSchedule(this.#now);
    this.#line = pauseSchedule(line, this.#now, milliseconds, this.#allowance);
    await this.#shared[0]?.pause(milliseconds);
  }
}

function fieldsOf({ at, pausedUntil, requests, tokens }: VirtualSchedule): Record<string, number> {
  return {
    at,
    pausedUntil,
    requestsPaid: requests.paid,
    requestsGone: requests.gone,
    requestsJoined: requests.joined,
    tokensPaid: tokens.paid,
    tokensGone: tokens.gone,
    tokensJoined: tokens.joined,
  };
}

describe('a line in Redis', () => {
  it('takes every step as the functions of a line do, to the last digit', async () => {
    let lines = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({ requestsPerMinute: perMinute, tokensPerMinute: perMinute }),
        fc.array(step, { minLength: 1, maxLength: 40 }),
        async ({ requestsPerMinute, tokensPerMinute }, steps) => {
          lines += 1;
          const both = new BothLines(`same:${lines}`, {
            ...(requestsPerMinute !== undefined && { requestsPerMinute }),
            ...(tokensPerMinute !== undefined && { tokensPerMinute }),
          });
          for (const next of steps) {
            await both.take(next);
            await both.expectSame();
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('gives a request one place and one settlement, however often a step arrives', async () => {
    // As it is when a connection breaks before the answer is here.
    const takeThrice = async (...step: (string | number)[]) => {
      const settings = [60_000, '', 60_000, 0];
      const take = () => requestLineScript.run(redis, ['thrice'], [...settings, ...step]);
      return [await take(), await take(), await take()];
    };
    expect(await takeThrice('ask', 'one', 1, 30_000)).toEqual([0, 0, 0]);
    expect(await takeThrice('ask', 'other', 1, 0)).toEqual([30_000, 30_000, 30_000]);
    await takeThrice('settle', 'one', 1, 30_000, 20_000);
    expect(await takeThrice('ask', 'other', 1, 0)).toEqual([20_000, 20_000, 20_000]);
    await takeThrice('settle', 'one', 2, 30_000, 20_000);
    expect(await takeThrice('ask', 'other', 1, 0)).toEqual([10_000, 10_000, 10_000]);
  });

  it('is forgotten when nobody uses it any more', async () => {
    const line = new SharedLine(redis, { key: 'kept', allowance: {}, keepMs: 60_000 });
    await line.ask(1, 1);
    expect(await redis.pttl('kept')).toBeGreaterThan(0);
    await redis.persist('kept');
    await line.settle(1, 2);
    expect(await redis.pttl('kept')).toBeGreaterThan(0);
    await redis.persist('kept');
    await line.pause(1);
    expect(await redis.pttl('kept')).toBeGreaterThan(0);
  });
});
