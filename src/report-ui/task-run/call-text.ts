import { isObject } from '../../base/json.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { jsonText, shortName, upToAWord } from '../elements/text.js';

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
  return isObject(value) && typeof value.message === 'string';
}

function hasContent(value: unknown): value is { content: unknown[] } {
  return isObject(value) && Array.isArray(value.content);
}

function hasText(value: unknown): value is { text: string } {
  return isObject(value) && typeof value.text === 'string';
}

/** A part of what a server answered: a text, or a value to be shown as JSON. */
interface ResultPart {
  title: string;
  value: unknown;
}

/** Longer texts are shown as they are, and not compared: nobody reads them whole. */
const longestParsed = 200_000;

/**
 * What a server answered, in the order people look for it: its texts (those that are JSON indented),
 * what is structured unless a text says the same, then the rest.
 */
export function resultParts(result: unknown): ResultPart[] {
  if (!isObject(result)) return [{ title: 'result', value: result }];
  const { content, contents, structuredContent, ...others } = result;
  // Nearly every result says so.
  if (others.isError === false) delete others.isError;
  const parts = Array.isArray(content) ? content.map(contentPart) : [];
  if (!Array.isArray(content) && content !== undefined) others.content = content;
  if (Array.isArray(contents)) parts.push(...contents.map(resourcePart));
  else if (contents !== undefined) others.contents = contents;
  if (structuredContent !== undefined) {
    const same = parts.find(({ value }) => saySame(value, structuredContent));
    if (same) same.title = 'text, and the same structured';
    else parts.push({ title: 'structured', value: structuredContent });
  }
  if (Object.keys(others).length > 0) {
    parts.push({ title: parts.length > 0 ? 'other fields' : 'result', value: others });
  }
  return parts.length > 0 ? parts : [{ title: 'result', value: result }];
}

function contentPart(item: unknown): ResultPart {
  if (isObject(item) && item.type === 'text' && typeof item.text === 'string') {
    return { title: 'text', value: parsed(item.text) };
  }
  const kind = isObject(item) && typeof item.type === 'string' ? item.type : 'unknown';
  return { title: `content: ${kind}`, value: item };
}

/** A part of a resource: its text, and beside it only what says which one. */
function resourcePart(item: unknown): ResultPart {
  if (!isObject(item) || typeof item.text !== 'string') return { title: 'resource', value: item };
  const { text, uri, mimeType, ...others } = item;
  if (Object.keys(others).length > 0) return { title: 'resource', value: item };
  const names = [uri, mimeType].filter((name) => typeof name === 'string');
  return { title: ['text', ...names].join(' '), value: parsed(text) };
}

/** What a text holds if that is JSON, so that it gets indented. */
export function parsed(text: string): unknown {
  if (text.length > longestParsed || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function saySame(value: unknown, other: unknown): boolean {
  if (typeof value === 'string') return false;
  const [left, right] = [value, other].map((each) => jsonText(each, longestParsed));
  return left?.whole === true && right?.whole === true && left.text === right.text;
}
