import type { ModelPrice } from '../config/schemas/prices-schema.js';
import type { TokenUsage } from '../events/agent-step.js';

const million = 1_000_000;

/**
 * What tokens cost, in US dollars. Those out of a cache are part of the input, and thoughts part of the
 * output, as everybody here counts them.
 */
export function costOfTokens(price: ModelPrice, usage: TokenUsage): number {
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens);
  const { input, cachedInput = input, output } = price;
  const dollars =
    (usage.inputTokens - cached) * input + cached * cachedInput + usage.outputTokens * output;
  return dollars / million;
}
