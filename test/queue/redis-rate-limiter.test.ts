import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { RedisRateLimiter } from '../../src/queue/limits/redis-rate-limiter.js';
import { ManualClock } from '../support/manual-clock.js';
import { QuietRedis } from '../support/quiet-redis.js';
import { describeRateLimiter } from '../support/rate-limiter-behaviour.js';
import { RedisServer } from '../support/redis-server.js';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());

let tests = 0;

describeRateLimiter('a limiter of several machines', async (allowance) => {
  tests += 1;
  const redis = new QuietRedis(server.url);
  onTestFinished(() => redis.disconnect());
  const clock = new ManualClock(() => redis.quiet());
  const options = { prefix: `p:{${tests}}`, keepMs: 60_000, allowanceOf: () => allowance, clock };
  // As two processes have it, but with one connection: it is known whose question comes first.
  const limiters = [new RedisRateLimiter(redis, options), new RedisRateLimiter(redis, options)];
  const [one, other] = limiters as [RedisRateLimiter, RedisRateLimiter];
  onTestFinished(async () => {
    for (const limiter of limiters) await limiter.close();
  });
  return { limiters: [one, other], advance: (milliseconds) => clock.advance(milliseconds) };
});
