import { asRecord } from '../../base/json.js';
import type { TokenUsage } from '../../journal/usage.js';

/** Reads the tokens from the answer to session/prompt, in the form of the protocol's draft or of gemini. */
export function readReportedUsage(answer: Record<string, unknown>): TokenUsage | undefined {
  return readDraftUsage(asRecord(answer.usage)) ?? readGeminiUsage(asRecord(answer._meta));
}

function readDraftUsage(usage: Record<string, unknown>): TokenUsage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (!isAmount(inputTokens) || !isAmount(outputTokens)) return undefined;
  const fromCache = readCount(usage.cachedReadTokens);
  const cached = fromCache + readCount(usage.cachedWriteTokens);
  // Some agents do not count cached tokens as input; only their total shows it.
  const isApart = usage.totalTokens === inputTokens + outputTokens + cached;
  return {
    inputTokens: isApart ? inputTokens + cached : inputTokens,
    outputTokens,
    ...(isAmount(usage.cachedReadTokens) && { cachedInputTokens: fromCache }),
    ...(isAmount(usage.cachedWriteTokens) && { cacheWriteTokens: usage.cachedWriteTokens }),
    ...(isAmount(usage.thoughtTokens) && { reasoningTokens: usage.thoughtTokens }),
  };
}

function readGeminiUsage(meta: Record<string, unknown>): TokenUsage | undefined {
  const { input_tokens, output_tokens } = asRecord(asRecord(meta.quota).token_count);
  if (!isAmount(input_tokens) || !isAmount(output_tokens)) return undefined;
  return { inputTokens: input_tokens, outputTokens: output_tokens };
}

/** Reads the cost in US dollars from a usage_update. It is a running sum, so the last one counts. */
export function readReportedCost(update: Record<string, unknown>): number | undefined {
  if (update.sessionUpdate !== 'usage_update') return undefined;
  const { amount, currency } = asRecord(update.cost);
  return currency === 'USD' && isAmount(amount) ? amount : undefined;
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function readCount(value: unknown): number {
  return isAmount(value) ? value : 0;
}
