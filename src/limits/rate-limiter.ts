/** A model of a provider: what limits are kept for. */
export interface ModelName {
  provider: string;
  model: string;
}

/** A model as it is written in files: `provider:model`. */
export function formatModel({ provider, model }: ModelName): string {
  return `${provider}:${model}`;
}

/** Says when a model may be asked. */
export interface ModelGate {
  /**
   * Settles when a request may be sent, in the order of asking. `tokens` is an estimate of what it will
   * take. Rejects when the signal aborts.
   */
  acquire(model: ModelName, tokens: number, signal: AbortSignal): Promise<Permit>;
  /** The provider said to slow down: the model is not asked before then. */
  pause(model: ModelName, milliseconds: number): void | Promise<void>;
}

/**
 * Keeps the limits of models. All callers of the same model have to share one: an agent, the judge,
 * other task runs, and with workers the other machines.
 */
export interface RateLimiter extends ModelGate {
  /** Rejects all requests that still wait. */
  close(): Promise<void>;
}

/** Leave to send one request. */
export interface Permit {
  /** What it really took, as the provider says: the difference is given back or charged. */
  settle(tokens: number): void;
}

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
export function findAllowance(
  { provider, model }: ModelName,
  lists: readonly (readonly Rate[])[],
): Allowance {
  const fitting = lists.flatMap((rates) =>
    rates
      .filter((rate) => (rate.provider ?? provider) === provider && (rate.model ?? model) === model)
      .sort((left, right) => measureSpecificity(right) - measureSpecificity(left)),
  );
  const requests = fitting.find((rate) => rate.requestsPerMinute !== undefined)?.requestsPerMinute;
  const tokens = fitting.find((rate) => rate.tokensPerMinute !== undefined)?.tokensPerMinute;
  return {
    ...(requests !== undefined && { requestsPerMinute: requests }),
    ...(tokens !== undefined && { tokensPerMinute: tokens }),
  };
}

/** A model says more than a provider: most have names of their own. */
function measureSpecificity({ provider, model }: Rate): number {
  return (model === undefined ? 0 : 2) + (provider === undefined ? 0 : 1);
}
