import { setTimeout as delay } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import { kindOf, type ModelErrorKind } from './model-error.js';

/** How often a request is made in all. */
const maxAttempts: Record<ModelErrorKind, number> = {
  busy: 5,
  unreachable: 5,
  unreadable: 3,
  refused: 1,
  other: 1,
};

/** In milliseconds; doubled each time. */
const firstWait = 1_000;
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
  /** Told before the next attempt. */
  onRetry(error: unknown, waitMs: number): void;
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Asks again where that may help. Throws GaveUp, or what the signal makes it throw. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { signal, onRetry, wait = sleep }: Options,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const kind = kindOf(error);
      const waitMs = waitFor(error, kind, attempts);
      if (attempts >= maxAttempts[kind] || waitMs > maxWait) throw new GaveUp(attempts, error);
      onRetry(error, waitMs);
      await wait(waitMs, signal);
    }
  }
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal });
}

function waitFor(error: unknown, kind: ModelErrorKind, attempts: number): number {
  const asked = APICallError.isInstance(error) ? retryAfter(error.responseHeaders) : undefined;
  if (asked !== undefined) return asked;
  // Nobody is overloaded, the model only said nonsense.
  return kind === 'unreadable' ? 0 : firstWait * 2 ** (attempts - 1);
}

/** In milliseconds, from seconds or a date. */
export function retryAfter(headers: Record<string, string> = {}): number | undefined {
  const { 'retry-after-ms': milliseconds, 'retry-after': value } = headers;
  if (milliseconds !== undefined && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
