import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { TokenUsage } from '../../journal/usage.js';

/** What one answer took. Undefined: its API did not say. */
export function readUsage({
  inputTokens: input,
  outputTokens: output,
}: LanguageModelV3Usage): TokenUsage | undefined {
  if (input.total === undefined || output.total === undefined) return undefined;
  return {
    inputTokens: input.total,
    outputTokens: output.total,
    ...(input.cacheRead !== undefined && { cachedInputTokens: input.cacheRead }),
    ...(input.cacheWrite !== undefined && { cacheWriteTokens: input.cacheWrite }),
    ...(output.reasoning !== undefined && { reasoningTokens: output.reasoning }),
  };
}
