import type { ModelName } from './rate-limiter.js';

/** What a model may be asked for within a minute. What is not given has no limit. */
export interface Allowance {
  requestsPerMinute?: number;
  tokensPerMinute?: number;
}

/** An allowance, and the models that it is for: each of them has it for itself. */
export interface Rate extends Allowance {
  /** None: every provider. */
  provider?: string;
  /** None: every model. */
  model?: string;
}

/**
 * The allowance of a model. Each number comes from the first list that has one for the model, and there
 * from the most specific rate.
 */
export function allowanceOf(
  { provider, model }: ModelName,
  lists: readonly (readonly Rate[])[],
): Allowance {
  const fitting = lists.flatMap((rates) =>
    rates
      .filter((rate) => (rate.provider ?? provider) === provider && (rate.model ?? model) === model)
      .sort((left, right) => specificity(right) - specificity(left)),
  );
  const requests = fitting.find((rate) => rate.requestsPerMinute !== undefined)?.requestsPerMinute;
  const tokens = fitting.find((rate) => rate.tokensPerMinute !== undefined)?.tokensPerMinute;
  return {
    ...(requests !== undefined && { requestsPerMinute: requests }),
    ...(tokens !== undefined && { tokensPerMinute: tokens }),
  };
}

/** A model says more than a provider: most have names of their own. */
function specificity({ provider, model }: Rate): number {
  return (model === undefined ? 0 : 2) + (provider === undefined ? 0 : 1);
}
