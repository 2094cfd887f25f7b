import type { TokenUsage } from './agent-step.js';

/** Of two reports; what neither tells stays untold. */
export function sumOfUsage(
  left: TokenUsage | undefined,
  right: TokenUsage | undefined,
): TokenUsage | undefined {
  if (!left || !right) return left ?? right;
  const sum = (key: keyof TokenUsage) => (left[key] ?? 0) + (right[key] ?? 0);
  const isKnown = (key: keyof TokenUsage) => (left[key] ?? right[key]) !== undefined;
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    ...(isKnown('cachedInputTokens') && { cachedInputTokens: sum('cachedInputTokens') }),
    ...(isKnown('cacheWriteTokens') && { cacheWriteTokens: sum('cacheWriteTokens') }),
    ...(isKnown('reasoningTokens') && { reasoningTokens: sum('reasoningTokens') }),
  };
}

/** As `usage`: what nobody tells is not zero. */
export function sumOfCost(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : left + right;
}
