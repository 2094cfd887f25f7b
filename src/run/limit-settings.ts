import { findProvider } from '../config/models.js';
import type { CheckLimitsData } from '../config/schemas/eval-schema.js';
import type { LimitSettings } from '../limits/limits.js';
import type { Rate } from '../limits/rate-limiter.js';

/** The limits of an eval, with those of the command line, which win. */
export function limitSettings(
  ofEval: CheckLimitsData | undefined,
  given: { concurrentAgents?: number; rates: readonly Rate[] } = { rates: [] },
): LimitSettings {
  const concurrentAgents = given.concurrentAgents ?? ofEval?.concurrentAgents;
  const rates = (ofEval?.rates ?? []).map(
    ({ provider, model, requestsPerMinute, tokensPerMinute }): Rate => ({
      ...(provider !== undefined && { provider: findProvider(provider) ?? provider }),
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
