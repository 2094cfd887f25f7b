import { readTextAt } from '../base/json-text.js';
import { isMap } from '../config/kind.js';
import type { CallOutcome } from '../mcp/call-outcome.js';

/** What a tool answered, as JSON texts as they came: a large number stays as it is. */
export interface ToolResult {
  isError: boolean;
  /** The texts of the content; of a JSON-RPC error its message. */
  text: string;
  /** The list of content items. */
  content?: string;
  structuredContent?: string;
}

export function toolResult({ isError, text, result, error, answerText }: CallOutcome): ToolResult {
  if (error || !isMap(result)) return { isError, text };
  const content = readTextAt(answerText ?? '', ['result', 'content']);
  const structured = readTextAt(answerText ?? '', ['result', 'structuredContent']);
  const structuredContent = structured === 'null' ? undefined : structured;
  const texts = textsIn(result.content);
  // Some servers leave it all to the structured content.
  const onlyStructured = isEmpty(result.content) ? structuredContent : undefined;
  return {
    isError,
    text: onlyStructured ?? texts.join('\n'),
    ...(content !== undefined && { content }),
    ...(structuredContent !== undefined && { structuredContent }),
  };
}

/** Why an answer is none that says what the tool did; undefined if it is one. */
export function flawOfAnswer(outcome: CallOutcome): string | undefined {
  const { text, result, error, isMalformed } = outcome;
  if (isMalformed || (isMap(result) && result.resultType === 'input_required')) return text;
  if (error || !isMap(result)) return undefined;
  const isTask = isMap(result.task) || (result.resultType ?? 'complete') !== 'complete';
  return isTask ? 'The server answered before the tool has come to a result.' : undefined;
}

function textsIn(content: unknown): string[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((item) => (isMap(item) && typeof item.text === 'string' ? item.text : []));
}

function isEmpty(content: unknown): boolean {
  return !Array.isArray(content) || content.length === 0;
}
