import { setTimeout as delay } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import { kindOf, type ModelErrorKind } from './model-error.js';
import { retryAfter } from './retry-after.js';

/** How often a request is made in all. */
const maxAttempts: Record<ModelErrorKind, number> = {
  busy: 5,
  unreachable: 5,
  absent: 3,
  barred: 1,
  unreadable: 3,
  refused: 1,
  other: 1,
};

/** In milliseconds; doubled each time. */
const firstWait = 1_000;
/** The same for a model where nobody listens: it is reported within seconds. */
const firstWaitForAbsent = 500;
/** A model that asks for more patience than this will not be there within a task's time. */
const maxWait = 120_000;

/** The last error of several attempts. */
export class GaveUp extends Error {
  readonly attempts: number;

  constructor(attempts: number, cause: unknown) {
    super('the model was asked several times', { cause });
    this.name = 'GaveUp';
    this.attempts = attempts;
  }
}

interface Options {
  signal: AbortSignal;
  /** Waits before the next attempt: `sleep` does, if there is nothing better to wait for. */
  wait(milliseconds: number, error: unknown, sleep: () => Promise<void>): Promise<void>;
}

/** Asks again where that may help. Throws GaveUp, or what the signal makes it throw. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, wait }: Options,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const kind = kindOf(error);
      const waitMs = waitFor(error, kind, attempts);
      if (attempts >= maxAttempts[kind] || waitMs > maxWait) throw new GaveUp(attempts, error);
      await wait(waitMs, error, () => delay(waitMs, undefined, { signal }));
    }
  }
}

function waitFor(error: unknown, kind: ModelErrorKind, attempts: number): number {
  const asked = APICallError.isInstance(error) ? retryAfter(error.responseHeaders) : undefined;
  if (asked !== undefined) return asked;
  // Nobody is overloaded, the model only said nonsense.
  if (kind === 'unreadable') return 0;
  return (kind === 'absent' ? firstWaitForAbsent : firstWait) * 2 ** (attempts - 1);
}
