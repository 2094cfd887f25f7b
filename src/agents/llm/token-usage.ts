import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import type { TokenUsage } from '../../journal/usage.js';

/** A rule of thumb for most languages and for JSON. */
const charactersPerToken = 4;
/** Tokens that an answer is expected to take as long as none is known. */
const usualAnswer = 500;

/**
 * Estimates the tokens of the next request of a conversation: rate limits have to be kept before the
 * model reports them. It gets better as the conversation grows, as most of it was counted by the model.
 */
export class TokenEstimate {
  /** Tokens of tools and messages so far. */
  #tokens: number;
  /** How many messages are part of `#tokens`. */
  #messages = 0;
  /** Expected tokens of an answer. */
  #answer: number;

  constructor(
    tools: readonly LanguageModelV3FunctionTool[],
    { maxOutputTokens = usualAnswer }: { maxOutputTokens?: number } = {},
  ) {
    this.#tokens = tools.length === 0 ? 0 : estimateTokens(tools);
    this.#answer = Math.min(maxOutputTokens, usualAnswer);
  }

  /** The estimate for a request with these messages, including its answer. */
  next(messages: readonly LanguageModelV3Message[]): number {
    for (const message of messages.slice(this.#messages)) this.#tokens += estimateTokens(message);
    this.#messages = messages.length;
    return this.#tokens + this.#answer;
  }

  /** Takes what the last request really took; its answer is the last of the messages by now. */
  learn(usage: LanguageModelV3Usage, messages: readonly LanguageModelV3Message[]): void {
    const used = countUsedTokens(usage);
    if (used === undefined) return;
    this.#tokens = used;
    this.#messages = messages.length;
    this.#answer = usage.outputTokens.total ?? this.#answer;
  }
}

/** Tokens of a request and its answer, as rate limits of providers count them. Undefined: not reported. */
export function countUsedTokens({
  inputTokens,
  outputTokens,
}: LanguageModelV3Usage): number | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return (inputTokens.total ?? 0) + (outputTokens.total ?? 0);
}

function estimateTokens(data: unknown): number {
  return Math.ceil(JSON.stringify(data).length / charactersPerToken);
}

/** Reads the tokens of one answer. Undefined: its API did not report them. */
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
