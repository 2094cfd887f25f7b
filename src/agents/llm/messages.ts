import type { LanguageModelV3Message } from '@ai-sdk/provider';
import type { Answer } from './answer.js';
import type { ToolOutcome } from './model-tool.js';
import type { ReadCall } from './tool-call.js';

/** What a model said, as it is told to it with the next question. */
export function answerMessage(
  { content }: Answer,
  calls: readonly ReadCall[],
): LanguageModelV3Message {
  const argsOf = new Map(calls.map(({ call, args }) => [call, args?.value]));
  return {
    role: 'assistant',
    content: content.flatMap((part) => {
      // Signatures of thoughts, for example: some models want them back.
      const metadata = part.providerMetadata && { providerOptions: part.providerMetadata };
      switch (part.type) {
        case 'text':
        case 'reasoning':
          return { type: part.type, text: part.text, ...metadata };
        case 'tool-call': {
          const { type, toolCallId, toolName } = part;
          // Arguments that could not be read are quoted in the result.
          return { type, toolCallId, toolName, input: argsOf.get(part) ?? {}, ...metadata };
        }
        default:
          return [];
      }
    }),
  };
}

export function resultsMessage(
  calls: readonly ReadCall[],
  outcomes: readonly ToolOutcome[],
): LanguageModelV3Message {
  return {
    role: 'tool',
    content: outcomes.flatMap(({ isError, text }, index) => {
      const call = calls[index]?.call;
      if (!call) return [];
      const { toolCallId, toolName } = call;
      const type = isError ? 'error-text' : 'text';
      return { type: 'tool-result', toolCallId, toolName, output: { type, value: text } } as const;
    }),
  };
}
