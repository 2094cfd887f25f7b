import { isObject } from '../../base/json.js';
import type { McpCall } from '../../journal/mcp-events.js';

/**
 * What of a call is counted in tokens: the arguments as JSON, and of the result the text that a
 * model would read. Images, audio and other binary parts are no text, and count nothing.
 */
export function countedTexts({ args, result, error }: McpCall): [args: string, result: string] {
  if (result === undefined) return [args?.text ?? '', error?.text ?? ''];
  return [args?.text ?? '', textsIn(result.value) ?? result.text];
}

/** The texts of a tool's content, a resource's contents or a prompt's messages. */
function textsIn(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const parts = [result.content, result.contents, result.messages].find(Array.isArray);
  if (parts === undefined) return undefined;
  const texts = parts.flatMap((part) => textOf(part));
  // Some servers leave the content to structuredContent alone.
  if (parts.length === 0 && isObject(result.structuredContent)) return undefined;
  return texts.join('\n');
}

/** A message of a prompt has a content of its own, and an embedded resource its resource. */
const maxDepth = 3;

function textOf(part: unknown, depth = 0): string[] {
  if (!isObject(part) || depth > maxDepth) return [];
  for (const inner of [part.content, part.resource]) {
    if (isObject(inner)) return textOf(inner, depth + 1);
  }
  return typeof part.text === 'string' ? [part.text] : [];
}
