import { type Allowance, allowanceOf } from './allowance.js';
import type { LimitSettings, Limits } from './limits.js';
import { LocalAgentSlots } from './local-agent-slots.js';
import { LocalRateLimiter } from './local-rate-limiter.js';

/** Limits for a check that runs in one process. */
export function localLimits(settings: LimitSettings): Limits {
  return limitsOf(settings, rateLimiterOf([settings]));
}

/**
 * Limits for several evals that one process runs one after the other. Each has its own number of agents.
 * A provider does not care which eval asks: its models have one rate for all, the lowest.
 */
export function localLimitsOfEvals(all: readonly LimitSettings[]): Limits[] {
  const limiter = rateLimiterOf(all);
  return all.map((settings) => limitsOf(settings, limiter));
}

function limitsOf({ concurrentAgents }: LimitSettings, limiter: LocalRateLimiter): Limits {
  return {
    agents: new LocalAgentSlots(concurrentAgents ?? Number.POSITIVE_INFINITY),
    rates: limiter,
    close: () => limiter.close(),
  };
}

function rateLimiterOf(all: readonly LimitSettings[]): LocalRateLimiter {
  return new LocalRateLimiter((of) => lowestOf(all.map(({ rates }) => allowanceOf(of, rates))));
}

function lowestOf(all: readonly Allowance[]): Allowance {
  const lowest: Allowance = {};
  for (const key of ['requestsPerMinute', 'tokensPerMinute'] as const) {
    const given = all.flatMap((each) => each[key] ?? []);
    if (given.length > 0) lowest[key] = Math.min(...given);
  }
  return lowest;
}
