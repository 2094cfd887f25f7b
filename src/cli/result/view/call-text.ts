import { isObject } from '../../../base/json.js';
import type { CallRecord } from '../../../results/task-run-record.js';
import { jsonBeginning } from './json-beginning.js';

/** In characters: nobody reads more of a value that is no text. */
const longestValue = 2000;

/** Arguments in one line if they fit, else a line for each. */
export function argumentText(args: unknown, width: number): string {
  if (args === null || args === undefined) return '';
  if (!isObject(args)) return jsonBeginning(args, longestValue);
  const keys = Object.keys(args);
  if (keys.length === 0) return '';
  const line = jsonBeginning(args, width);
  if (line.length <= width) return line;
  return keys.map((key) => `${key}: ${textOrJson(args[key])}`).join('\n');
}

/** What came back, as the text that the agent got to read. */
export function resultText({ kind, result }: CallRecord): string {
  if (!isObject(result)) return result === null ? '' : jsonBeginning(result, longestValue);
  const { content, contents, messages, structuredContent } = result;
  if (kind === 'tool' && Array.isArray(content)) {
    const text = content.map(contentText).join('\n');
    return text.trim() === '' && isObject(structuredContent)
      ? jsonBeginning(structuredContent, longestValue)
      : text;
  }
  if (kind === 'resource' && Array.isArray(contents)) return contents.map(resourceText).join('\n');
  if (kind === 'prompt' && Array.isArray(messages)) return messages.map(messageText).join('\n');
  return jsonBeginning(result, longestValue);
}

/** Why a call failed. */
export function errorText(call: CallRecord): string {
  const { error, blocked, blockedBy } = call;
  if (blocked) return `blocked by ${blockedBy ?? 'the MCP config'}`;
  if (!isObject(error))
    return error === null ? resultText(call) : jsonBeginning(error, longestValue);
  const { code, message, data } = error;
  const head = `${typeof code === 'number' ? `${code}: ` : ''}${textOrJson(message)}`;
  return data === undefined || data === null ? head : `${head}\n${textOrJson(data)}`;
}

function contentText(part: unknown): string {
  if (!isObject(part)) return jsonBeginning(part, longestValue);
  const { type, text, mimeType, data, resource, uri } = part;
  if (typeof text === 'string') return text;
  if (resource !== undefined) return resourceText(resource);
  if (typeof uri === 'string') return `[${textOrJson(type)} ${uri}]`;
  if (typeof data !== 'string') return jsonBeginning(part, longestValue);
  return `[${textOrJson(mimeType ?? type)}, ${data.length} characters of base64]`;
}

function resourceText(resource: unknown): string {
  if (!isObject(resource)) return jsonBeginning(resource, longestValue);
  const { uri, text, mimeType, blob } = resource;
  if (typeof text === 'string') return text;
  const size = typeof blob === 'string' ? `, ${blob.length} characters of base64` : '';
  return `[${textOrJson(uri ?? mimeType)}${size}]`;
}

function messageText(message: unknown): string {
  if (!isObject(message)) return jsonBeginning(message, longestValue);
  return `${textOrJson(message.role)}: ${contentText(message.content)}`;
}

function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : jsonBeginning(value, longestValue);
}
