import { recordOf } from '../../base/json-rpc/foreign-value.js';
import type { TokenUsage } from '../../journal/usage.js';

/** What the answer to session/prompt says about tokens, in the draft's form or in gemini's. */
export function usageOf(answer: Record<string, unknown>): TokenUsage | undefined {
  return draftUsage(recordOf(answer.usage)) ?? geminiUsage(recordOf(answer._meta));
}

function draftUsage(usage: Record<string, unknown>): TokenUsage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (!isAmount(inputTokens) || !isAmount(outputTokens)) return undefined;
  const fromCache = countOf(usage.cachedReadTokens);
  const cached = fromCache + countOf(usage.cachedWriteTokens);
  // Some count what came from the cache apart from the input, and only their total tells.
  const isApart = usage.totalTokens === inputTokens + outputTokens + cached;
  return {
    inputTokens: isApart ? inputTokens + cached : inputTokens,
    outputTokens,
    ...(isAmount(usage.cachedReadTokens) && { cachedInputTokens: fromCache }),
    ...(isAmount(usage.cachedWriteTokens) && { cacheWriteTokens: usage.cachedWriteTokens }),
    ...(isAmount(usage.thoughtTokens) && { reasoningTokens: usage.thoughtTokens }),
  };
}

function geminiUsage(meta: Record<string, unknown>): TokenUsage | undefined {
  const { input_tokens, output_tokens } = recordOf(recordOf(meta.quota).token_count);
  if (!isAmount(input_tokens) || !isAmount(output_tokens)) return undefined;
  return { inputTokens: input_tokens, outputTokens: output_tokens };
}

/** In US dollars, of a usage_update; the last one counts, as it tells the sum. */
export function costOf(update: Record<string, unknown>): number | undefined {
  if (update.sessionUpdate !== 'usage_update') return undefined;
  const { amount, currency } = recordOf(update.cost);
  return currency === 'USD' && isAmount(amount) ? amount : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function countOf(value: unknown): number {
  return isAmount(value) ? value : 0;
}
