import type { Redis } from 'ioredis';
import { type LimitSettings, type Limits, LocalAgentSlots } from '../../limits/limits.js';
import { findAllowance } from '../../limits/rate-limiter.js';
import { RedisAgentSlots } from './redis-agent-slots.js';
import { RedisRateLimiter } from './redis-rate-limiter.js';

export interface RedisLimitsOptions {
  /** Begins all keys of the queue. */
  prefix: string;
  /** The id of the run whose limits they are. */
  run: string;
  /** How long keys are kept when they are not used any more. Default: an hour. */
  keepMs?: number;
  /** A killed process keeps the slots of its agents for so long. Default: half a minute. */
  leaseMs?: number;
}

/**
 * Limits for a run whose task runs are spread over processes. The connection has to wait for a Redis that
 * is away (`maxRetriesPerRequest: null`): no request goes without leave. It stays open when limits are closed.
 */
export function redisLimits(
  redis: Redis,
  { prefix, run, keepMs = 3_600_000, leaseMs = 30_000 }: RedisLimitsOptions,
  { concurrentAgents, rates }: LimitSettings,
): Limits {
  const keys = { prefix: `${prefix}:{${run}}`, keepMs };
  const limiter = new RedisRateLimiter(redis, {
    ...keys,
    findAllowance: (of) => findAllowance(of, rates),
  });
  if (concurrentAgents === undefined) {
    const agents = new LocalAgentSlots(Number.POSITIVE_INFINITY);
    return { agents, rates: limiter, close: () => limiter.close() };
  }
  const agents = new RedisAgentSlots(redis, { ...keys, slots: concurrentAgents, leaseMs });
  return {
    agents,
    rates: limiter,
    async close() {
      agents.close();
      await limiter.close();
    },
  };
}
