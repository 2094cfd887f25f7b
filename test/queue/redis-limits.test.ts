import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LimitSettings, Limits } from '../../src/limits/limits.js';
import type { ModelName, Permit } from '../../src/limits/rate-limiter.js';
import { redisLimits } from '../../src/queue/limits/redis-limits.js';
import { RedisServer, type RedisServerOptions } from '../support/redis-server.js';

const model: ModelName = { provider: 'openai', model: 'm-1' };
/** Of somebody who does not give up. */
const never = () => new AbortController().signal;

async function startServer(options?: RedisServerOptions): Promise<RedisServer> {
  const server = await RedisServer.start(options);
  onTestFinished(() => server.close());
  return server;
}

/** As a process of its own has them. */
function limitsOf(
  server: RedisServer,
  settings: Partial<LimitSettings>,
  leaseMs?: number,
): { limits: Limits; redis: Redis } {
  const redis = new Redis(server.url, { maxRetriesPerRequest: null, retryStrategy: () => 20 });
  // It comes back by itself.
  redis.on('error', () => {});
  const options = { prefix: 'p', run: 'r', ...(leaseMs !== undefined && { leaseMs }) };
  const limits = redisLimits(redis, options, { rates: [], ...settings });
  onTestFinished(async () => {
    await limits.close();
    redis.disconnect();
  });
  return { limits, redis };
}

describe('limits of several machines', () => {
  it('let no more through together than one may have', async () => {
    const server = await startServer();
    const perMinute = 1_200;
    const rates = [[{ requestsPerMinute: perMinute }]];
    const machines = Array.from({ length: 8 }, () => limitsOf(server, { rates }).limits);
    const requests = 48;
    const begin = performance.now();
    await Promise.all(
      Array.from({ length: requests }, (_, index) =>
        machines[index % machines.length]?.rates.acquire(model, 1, never()),
      ),
    );
    // They can always take longer. A second's worth may go at once.
    const least = ((requests - 1 - perMinute / 60) / perMinute) * 60_000;
    expect(performance.now() - begin).toBeGreaterThanOrEqual(least);
  });

  it('let everybody go in the end, and each once, when Redis is killed and comes back', async () => {
    const server = await startServer({ durable: true });
    const rates = [[{ requestsPerMinute: 3_000 }]];
    const machines = [limitsOf(server, { rates }), limitsOf(server, { rates })];
    const asked: (Promise<Permit> | undefined)[] = [];
    const ask = (count: number) => {
      for (let index = 0; index < count; index++) {
        asked.push(machines[index % 2]?.limits.rates.acquire(model, 1, never()));
      }
    };
    ask(40);
    await asked[5];
    await server.kill();
    ask(10);
    await server.restart();
    await Promise.all(asked);
    const joined = await machines[0]?.redis.hget('p:{r}:rate:openai:m-1', 'requestsJoined');
    expect(joined).toBe('50');
  });

  it('keep a pause when Redis is killed and comes back', async () => {
    const server = await startServer({ durable: true });
    const { limits, redis } = limitsOf(server, {});
    await limits.rates.pause(model, 3_600_000);
    await server.kill();
    await server.restart();
    const stop = new AbortController();
    const waiting = limits.rates.acquire(model, 1, stop.signal);
    // Whatever was asked before it has been answered by then.
    await redis.ping();
    await redis.ping();
    stop.abort();
    await expect(waiting).rejects.toBe(stop.signal.reason);
  });

  it('give the slot of a process that is gone to the next', async () => {
    const server = await startServer();
    const gone = limitsOf(server, { concurrentAgents: 1 }, 300);
    const other = limitsOf(server, { concurrentAgents: 1 }, 300);
    await gone.limits.agents.enter(never());
    const waiting = other.limits.agents.enter(never());
    gone.redis.disconnect();
    const leave = await waiting;
    leave();
  });

  it('have no limit of agents where none is given', async () => {
    const server = await startServer();
    const { limits } = limitsOf(server, {});
    const entered = [1, 2, 3].map(() => limits.agents.enter(never()));
    expect(await Promise.all(entered)).toHaveLength(3);
  });

  it('say so to those who wait when the connection is closed for good', async () => {
    const server = await startServer();
    const { limits, redis } = limitsOf(server, { concurrentAgents: 1 });
    await limits.agents.enter(never());
    await limits.rates.pause(model, 3_600_000);
    const waiting = [limits.agents.enter(never()), limits.rates.acquire(model, 1, never())];
    redis.disconnect();
    const ends = await Promise.allSettled(waiting);
    for (const end of ends) {
      expect(end).toMatchObject({ reason: { message: 'Connection is closed.' } });
    }
  });

  it('leave only keys of the run, and none for ever', async () => {
    const server = await startServer();
    const { limits, redis } = limitsOf(server, { concurrentAgents: 1 });
    await limits.agents.enter(never());
    const permit = await limits.rates.acquire(model, 1, never());
    permit.settle(2);
    await limits.rates.pause(model, 1);
    const keys = await redis.keys('*');
    expect(keys.sort()).toEqual([
      'p:{r}:agents:clock',
      'p:{r}:agents:leases',
      'p:{r}:agents:line',
      'p:{r}:rate:openai:m-1',
    ]);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });
});
