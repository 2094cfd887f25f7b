import { isObject } from '../../base/json.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { formatJson, formatName, truncateAtWord } from '../elements/text.js';

export function formatCallName(call: CallRecord): string {
  const [server, name] = [formatName(call.server), formatName(call.name)];
  return call.kind === 'tool' ? `${server}.${name}` : `${call.kind} ${name} of ${server}`;
}

/** What is unusual about a call, in a word or two; undefined: nothing. */
export function findCallState(call: CallRecord): string | undefined {
  if (call.blocked) return 'blocked';
  if (call.cancelled) return 'cancelled';
  if (call.unfinished) return 'unfinished';
  if (call.malformed !== undefined) return 'malformed';
  if (call.isError) return 'error';
  return call.suspectedError === undefined ? undefined : 'suspected error';
}

const usualLine = 160;
const errorLength = 320;

/** Formats a value in one line of limited length. */
export function formatOneLine(value: unknown, atMost = usualLine): string {
  const text = typeof value === 'string' ? value : formatJson(value, atMost * 4).text;
  const line = text
    .slice(0, atMost * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > atMost ? `${truncateAtWord(line, atMost)} …` : line;
}

/** Formats the error of a call in one line; undefined: it has none. */
export function formatCallError(call: CallRecord): string | undefined {
  const { malformed, suspectedError } = call;
  if (malformed !== undefined) return `malformed answer: ${malformed}`;
  if (call.isError) return formatReportedError(call);
  return suspectedError === undefined
    ? undefined
    : formatOneLine(
        `looks like an error but is not marked isError: ${suspectedError}`,
        errorLength,
      );
}

function formatReportedError({ error, result }: CallRecord): string {
  if (hasMessage(error)) return formatOneLine(error.message, errorLength);
  if (error !== null && error !== undefined) return formatOneLine(error, errorLength);
  const [first] = hasContent(result) ? result.content : [];
  return formatOneLine(hasText(first) ? first.text : (result ?? ''), errorLength);
}

function hasMessage(value: unknown): value is { message: string } {
  return isObject(value) && typeof value.message === 'string';
}

function hasContent(value: unknown): value is { content: unknown[] } {
  return isObject(value) && Array.isArray(value.content);
}

function hasText(value: unknown): value is { text: string } {
  return isObject(value) && typeof value.text === 'string';
}

/** A part of a result: a text, or a value to be shown as JSON. */
interface ResultPart {
  title: string;
  value: unknown;
}

/** Longer texts are neither parsed nor compared, as this would take too long. */
const longestParsed = 200_000;

/**
 * Splits a result in the order of interest: its texts (parsed if they are JSON), structured content
 * unless a text is the same, then other fields.
 */
export function splitResult(result: unknown): ResultPart[] {
  if (!isObject(result)) return [{ title: 'result', value: result }];
  const { content, contents, structuredContent, ...others } = result;
  // Nearly every result has it, so it is not worth showing.
  if (others.isError === false) delete others.isError;
  const parts = Array.isArray(content) ? content.map(makeContentPart) : [];
  if (!Array.isArray(content) && content !== undefined) others.content = content;
  if (Array.isArray(contents)) parts.push(...contents.map(makeResourcePart));
  else if (contents !== undefined) others.contents = contents;
  if (structuredContent !== undefined) {
    const same = parts.find(({ value }) => isSameJson(value, structuredContent));
    if (same) same.title = 'text and structured content are equal';
    else parts.push({ title: 'structured', value: structuredContent });
  }
  if (Object.keys(others).length > 0) {
    parts.push({ title: parts.length > 0 ? 'other fields' : 'result', value: others });
  }
  return parts.length > 0 ? parts : [{ title: 'result', value: result }];
}

function makeContentPart(item: unknown): ResultPart {
  if (isObject(item) && item.type === 'text' && typeof item.text === 'string') {
    return { title: 'text', value: parseIfJson(item.text) };
  }
  const kind = isObject(item) && typeof item.type === 'string' ? item.type : 'unknown';
  return { title: `content: ${kind}`, value: item };
}

/** The text of a resource under its URI and type; all of it where it has other fields. */
function makeResourcePart(item: unknown): ResultPart {
  if (!isObject(item) || typeof item.text !== 'string') return { title: 'resource', value: item };
  const { text, uri, mimeType, ...others } = item;
  if (Object.keys(others).length > 0) return { title: 'resource', value: item };
  const names = [uri, mimeType].filter((name) => typeof name === 'string');
  return { title: ['text', ...names].join(' '), value: parseIfJson(text) };
}

/** Parses a text that is a JSON object or list, so that it is shown indented. */
export function parseIfJson(text: string): unknown {
  if (text.length > longestParsed || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isSameJson(value: unknown, other: unknown): boolean {
  if (typeof value === 'string') return false;
  const [left, right] = [value, other].map((compared) => formatJson(compared, longestParsed));
  return left?.whole === true && right?.whole === true && left.text === right.text;
}
