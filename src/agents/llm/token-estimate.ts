import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';

/** In most languages, and in JSON. */
const charactersPerToken = 4;
/** Of an answer, as long as none is known. */
const usualAnswer = 500;

/**
 * Guesses what the next request of a conversation takes: limits on tokens have to be kept before the
 * model tells. The longer the conversation, the better: most of it was counted by the model itself.
 */
export class TokenEstimate {
  /** Of tools and messages so far. */
  #tokens: number;
  /** Messages that are part of it. */
  #messages = 0;
  /** Of an answer. */
  #answer: number;

  constructor(
    tools: readonly LanguageModelV3FunctionTool[],
    { maxOutputTokens = usualAnswer }: { maxOutputTokens?: number } = {},
  ) {
    this.#tokens = tools.length === 0 ? 0 : tokensOf(tools);
    this.#answer = Math.min(maxOutputTokens, usualAnswer);
  }

  /** For a request with these messages, and its answer. */
  next(messages: readonly LanguageModelV3Message[]): number {
    for (const message of messages.slice(this.#messages)) this.#tokens += tokensOf(message);
    this.#messages = messages.length;
    return this.#tokens + this.#answer;
  }

  /** What the last request took. Its answer is the last of the messages by now. */
  learn(usage: LanguageModelV3Usage, messages: readonly LanguageModelV3Message[]): void {
    const used = tokensUsed(usage);
    if (used === undefined) return;
    this.#tokens = used;
    this.#messages = messages.length;
    this.#answer = usage.outputTokens.total ?? this.#answer;
  }
}

/** All that a request took, answer included, as limits of providers count it; undefined: not told. */
export function tokensUsed({
  inputTokens,
  outputTokens,
}: LanguageModelV3Usage): number | undefined {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  return (inputTokens.total ?? 0) + (outputTokens.total ?? 0);
}

function tokensOf(data: unknown): number {
  return Math.ceil(JSON.stringify(data).length / charactersPerToken);
}
