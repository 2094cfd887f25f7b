import type { ModelGate, ModelName } from '../../limits/rate-limiter.js';
import type { AgentTask } from '../agent.js';
import type { Answer } from './answer.js';
import { saysSlowDown } from './model-error.js';
import { withRetries } from './retries.js';
import { tokensUsed } from './token-estimate.js';

interface Options {
  model: ModelName;
  turns: ModelGate;
  /** What a request is expected to take. */
  tokens: number;
  signal: AbortSignal;
  report: AgentTask['report'];
  /** Called with each error after which the model is asked again. */
  onRetry?(error: unknown, attempts: number): void;
}

/**
 * Asks a model when it may be asked, and again where that may help. An API that has had enough is left
 * alone by everybody, and whoever waits here then waits in line. Throws what `withRetries` throws.
 */
export function askInTurn(
  ask: () => Promise<Answer>,
  { model, turns, tokens, signal, report, onRetry }: Options,
): Promise<Answer> {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    const permit = await turns.acquire(model, tokens, signal);
    const answer = await ask();
    const used = tokensUsed(answer.usage);
    if (used !== undefined) permit.settle(used);
    return answer;
  };
  return withRetries(attempt, {
    signal,
    async wait(milliseconds, error, sleep) {
      onRetry?.(error, attempts);
      const reason = error instanceof Error ? error.message : 'its API told of an error';
      report({ kind: 'log', text: `the model is asked again in ${milliseconds} ms: ${reason}` });
      await (saysSlowDown(error) ? turns.pause(model, milliseconds) : sleep());
    },
  });
}
