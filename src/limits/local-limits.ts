import { allowanceOf } from './allowance.js';
import type { LimitSettings, Limits } from './limits.js';
import { LocalAgentSlots } from './local-agent-slots.js';
import { LocalRateLimiter } from './local-rate-limiter.js';

/** Limits for a check that runs in one process. */
export function localLimits({ concurrentAgents, rates }: LimitSettings): Limits {
  const limiter = new LocalRateLimiter((of) => allowanceOf(of, rates));
  return {
    agents: new LocalAgentSlots(concurrentAgents ?? Number.POSITIVE_INFINITY),
    rates: limiter,
    close: () => limiter.close(),
  };
}
