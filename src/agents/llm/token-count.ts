import type { LanguageModelV3Usage } from '@ai-sdk/provider';
import type { TokenUsage } from '../../events/agent-step.js';

/** Sums up what the answers of a model cost. */
export class TokenCount {
  #usage: TokenUsage | undefined;

  /** None, if no answer said how many. */
  get usage(): TokenUsage | undefined {
    return this.#usage;
  }

  add({ inputTokens: input, outputTokens: output }: LanguageModelV3Usage): void {
    if (input.total === undefined && output.total === undefined) return;
    const before = this.#usage ?? { inputTokens: 0, outputTokens: 0 };
    const cached = sum(before.cachedInputTokens, input.cacheRead);
    const reasoning = sum(before.reasoningTokens, output.reasoning);
    this.#usage = {
      inputTokens: before.inputTokens + (input.total ?? 0),
      outputTokens: before.outputTokens + (output.total ?? 0),
      ...(cached !== undefined && { cachedInputTokens: cached }),
      ...(reasoning !== undefined && { reasoningTokens: reasoning }),
    };
  }
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}
