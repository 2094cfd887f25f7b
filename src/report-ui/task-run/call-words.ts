import type { CallRecord } from '../../results/task-run-record.js';
import { jsonText } from '../elements/json-text.js';
import { shortName } from '../elements/short-name.js';
import { upToAWord } from '../elements/up-to-a-word.js';

export function callName(call: CallRecord): string {
  const [server, name] = [shortName(call.server), shortName(call.name)];
  return call.kind === 'tool' ? `${server}.${name}` : `${call.kind} ${name} of ${server}`;
}

/** What is out of the ordinary about it. Undefined: nothing. */
export function callState(call: CallRecord): string | undefined {
  if (call.blocked) return 'blocked';
  if (call.cancelled) return 'cancelled';
  if (call.unfinished) return 'unfinished';
  if (call.malformed !== undefined) return 'malformed';
  if (call.isError) return 'error';
  return call.suspectedError === undefined ? undefined : 'suspected error';
}

const usualLine = 160;
const errorLength = 320;

/** A value in one line, and not more than that. */
export function inOneLine(value: unknown, atMost = usualLine): string {
  const text = typeof value === 'string' ? value : jsonText(value, atMost * 4).text;
  const line = text
    .slice(0, atMost * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > atMost ? `${upToAWord(line, atMost)} …` : line;
}

/** What went wrong, in one line; undefined if nothing did. */
export function errorLine(call: CallRecord): string | undefined {
  const { malformed, suspectedError } = call;
  if (malformed !== undefined) return `malformed answer: ${malformed}`;
  if (call.isError) return saidError(call);
  return suspectedError === undefined
    ? undefined
    : inOneLine(`looks like an error, and is not marked isError: ${suspectedError}`, errorLength);
}

function saidError({ error, result }: CallRecord): string {
  if (hasMessage(error)) return inOneLine(error.message, errorLength);
  if (error !== null && error !== undefined) return inOneLine(error, errorLength);
  const [first] = hasContent(result) ? result.content : [];
  return inOneLine(hasText(first) ? first.text : (result ?? ''), errorLength);
}

function hasMessage(value: unknown): value is { message: string } {
  return isObject(value) && 'message' in value && typeof value.message === 'string';
}

function hasContent(value: unknown): value is { content: unknown[] } {
  return isObject(value) && 'content' in value && Array.isArray(value.content);
}

function hasText(value: unknown): value is { text: string } {
  return isObject(value) && 'text' in value && typeof value.text === 'string';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
