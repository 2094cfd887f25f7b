/** A model of a provider: what limits are kept for. */
export interface ModelName {
  provider: string;
  model: string;
}

/** As people write it. */
export function modelText({ provider, model }: ModelName): string {
  return `${provider}:${model}`;
}

/** Says when a model may be asked. */
export interface ModelTurns {
  /**
   * Settles when a request may be sent, in the order of asking. `tokens` is an estimate of what it will
   * take. Rejects when the signal aborts.
   */
  acquire(of: ModelName, tokens: number, signal: AbortSignal): Promise<Permit>;
  /** The provider said to slow down: nobody asks the model before then. */
  pause(of: ModelName, milliseconds: number): void | Promise<void>;
}

/**
 * Keeps the limits of models. Everybody who asks the same model has to share one: an agent, the judge,
 * other task runs, and with workers the other machines.
 */
export interface RateLimiter extends ModelTurns {
  /** Nobody waits any more. */
  close(): Promise<void>;
}

/** Leave to send one request. */
export interface Permit {
  /** What it really took, as the provider says: the difference is given back or charged. */
  settle(tokens: number): void;
}
