import { setTimeout as delay } from 'node:timers/promises';
import { APICallError } from '@ai-sdk/provider';
import type { ModelGate, ModelName } from '../../limits/rate-limiter.js';
import type { AgentTask } from '../agent.js';
import type { Answer } from './answer.js';
import {
  classifyModelError,
  isSlowDownError,
  type ModelErrorKind,
  parseRetryAfter,
  RetriesExhaustedError,
} from './model-errors.js';
import { countUsedTokens } from './token-usage.js';

/** How often a request is made in all, by the kind of its error. */
const maxAttempts: Record<ModelErrorKind, number> = {
  busy: 5,
  unreachable: 5,
  absent: 3,
  barred: 1,
  unreadable: 3,
  refused: 1,
  other: 1,
};

/** Wait before the first retry, in milliseconds; it doubles each time. */
const firstWait = 1_000;
/** First wait where nothing listens at the model's address: short, so that this is reported within seconds. */
const firstWaitForAbsent = 500;
/** A model that asks for a longer wait will not be back within the time of a task. */
const maxWait = 120_000;

interface RetryOptions {
  signal: AbortSignal;
  /** Waits before the next attempt: `sleep` does, if there is nothing better to wait for. */
  wait(milliseconds: number, error: unknown, sleep: () => Promise<void>): Promise<void>;
}

/** Retries a request where that may help. Throws RetriesExhaustedError, or the reason of the signal. */
export async function retryModelRequest<Result>(
  attempt: () => Promise<Result>,
  { signal, wait }: RetryOptions,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const kind = classifyModelError(error);
      const waitMs = computeWait(error, kind, attempts);
      if (attempts >= maxAttempts[kind] || waitMs > maxWait)
        throw new RetriesExhaustedError(attempts, error);
      await wait(waitMs, error, () => delay(waitMs, undefined, { signal }));
    }
  }
}

function computeWait(error: unknown, kind: ModelErrorKind, attempts: number): number {
  const asked = APICallError.isInstance(error) ? parseRetryAfter(error.responseHeaders) : undefined;
  if (asked !== undefined) return asked;
  // The API is not overloaded, the model only answered nonsense.
  if (kind === 'unreadable') return 0;
  return (kind === 'absent' ? firstWaitForAbsent : firstWait) * 2 ** (attempts - 1);
}

interface RequestOptions {
  model: ModelName;
  turns: ModelGate;
  /** Tokens that the request is expected to take. */
  tokens: number;
  signal: AbortSignal;
  report: AgentTask['report'];
  /** Called with each error before the request is retried. */
  onRetry?(error: unknown, attempts: number): void;
}

/**
 * Asks a model when the rate limits allow it, and retries where that may help. An API that asks to slow
 * down is paused for all task runs, so the retry then waits in line. Throws what `retryModelRequest` throws.
 */
export function askInTurnWithRetries(
  ask: () => Promise<Answer>,
  { model, turns, tokens, signal, report, onRetry }: RequestOptions,
): Promise<Answer> {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    const permit = await turns.acquire(model, tokens, signal);
    const answer = await ask();
    const used = countUsedTokens(answer.usage);
    if (used !== undefined) permit.settle(used);
    return answer;
  };
  return retryModelRequest(attempt, {
    signal,
    async wait(milliseconds, error, sleep) {
      onRetry?.(error, attempts);
      const reason = error instanceof Error ? error.message : 'its API reported an error';
      report({ kind: 'log', text: `the model is asked again in ${milliseconds} ms: ${reason}` });
      await (isSlowDownError(error) ? turns.pause(model, milliseconds) : sleep());
    },
  });
}
