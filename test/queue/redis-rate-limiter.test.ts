import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Allowance } from '../../src/limits/rate-limiter.js';
import { RedisRateLimiter } from '../../src/queue/limits/redis-rate-limiter.js';
import { describeRateLimiter } from '../../testing/limit-behaviours.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { QuietRedis } from '../support/quiet-redis.js';
import { RedisServer } from '../support/redis-server.js';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());

let tests = 0;

/** As two processes have them, but with one connection: it is known whose question comes first. */
function createLimiters(allowance: Allowance) {
  tests += 1;
  const redis = new QuietRedis(server.url);
  onTestFinished(() => redis.disconnect());
  const clock = new ManualClock(() => redis.quiet());
  const options = { prefix: `p:{${tests}}`, keepMs: 60_000, findAllowance: () => allowance, clock };
  const limiters = [
    new RedisRateLimiter(redis, options),
    new RedisRateLimiter(redis, options),
  ] as const;
  onTestFinished(async () => {
    for (const limiter of limiters) await limiter.close();
  });
  return { limiters, advance: (milliseconds: number) => clock.advance(milliseconds) };
}

describeRateLimiter('a limiter of several machines', async (allowance) =>
  createLimiters(allowance),
);

describe('a request that was given up while Redis let it go', () => {
  it('takes nothing from those behind it', async () => {
    const { limiters, advance } = createLimiters({ tokensPerMinute: 60_000 });
    const model = { provider: 'openai', model: 'm-1' };
    const stop = new AbortController();
    const given = limiters[0].acquire(model, 30_000, stop.signal);
    stop.abort();
    await expect(given).rejects.toBe(stop.signal.reason);
    await advance(0);
    let hasGone = false;
    limiters[1].acquire(model, 1, new AbortController().signal).then(() => {
      hasGone = true;
    });
    await advance(0);
    expect(hasGone).toBe(true);
  });
});
