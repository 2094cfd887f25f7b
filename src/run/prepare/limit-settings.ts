import type { CheckLimitsData } from '../../config/schemas/check-limits-schema.js';
import { providerNamed } from '../../config/schemas/model-providers.js';
import type { Rate } from '../../limits/allowance.js';
import type { LimitSettings } from '../../limits/limits.js';

/** The limits of an eval, with those of the command line, which win. */
export function mergeLimits(
  ofEval: CheckLimitsData | undefined,
  given: { concurrentAgents?: number; rates: readonly Rate[] } = { rates: [] },
): LimitSettings {
  const concurrentAgents = given.concurrentAgents ?? ofEval?.concurrentAgents;
  const rates = (ofEval?.rates ?? []).map(
    ({ provider, model, requestsPerMinute, tokensPerMinute }): Rate => ({
      ...(provider !== undefined && { provider: providerNamed(provider) ?? provider }),
      ...(model !== undefined && { model }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      ...(tokensPerMinute !== undefined && { tokensPerMinute }),
    }),
  );
  return {
    ...(concurrentAgents !== undefined && { concurrentAgents }),
    rates: [given.rates, rates],
  };
}
