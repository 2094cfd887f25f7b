import type { CallOutcome } from '../../mcp/mcp-client.js';
import { jsonAt } from './json-path.js';

/** What a script can quote. */
export interface Quotable {
  prompt: string;
  /** By the number of the action, from 1; the latest comes last. */
  results: ReadonlyMap<number, CallOutcome>;
}

/** A quote of something that is not there. The message is a sentence. */
export class QuoteError extends Error {
  constructor(quote: string, reason: string) {
    super(`The script quotes ${quote}, but ${reason}.`);
    this.name = 'QuoteError';
  }
}

const quote = /\{(prompt|results?)((?:\.|\[)[^{}\n]*)?\}/g;

/** The text with what its quotes stand for. Other braces are left alone. Throws QuoteError. */
export function withQuotes(text: string, quotable: Quotable): string {
  return text.replace(quote, (whole, family: string, path = '') =>
    textOf(quoted(whole, family, path, quotable)),
  );
}

/**
 * JSON with what the quotes in its texts stand for. A text that is nothing but a quote becomes the
 * value itself, whatever its type. Throws QuoteError.
 */
export function jsonWithQuotes(value: unknown, quotable: Quotable): string {
  if (typeof value === 'string') return textWithQuotes(value, quotable);
  if (Array.isArray(value)) {
    return `[${value.map((item) => jsonWithQuotes(item, quotable)).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${jsonWithQuotes(member, quotable)}`,
  );
  return `{${members.join(',')}}`;
}

function textWithQuotes(text: string, quotable: Quotable): string {
  const [match] = text.matchAll(quote);
  if (match?.[0] !== text) return JSON.stringify(withQuotes(text, quotable));
  const [whole, family = '', path = ''] = match;
  return quoted(whole, family, path, quotable);
}

/** As JSON. */
function quoted(whole: string, family: string, path: string, quotable: Quotable): string {
  const { prompt, results } = quotable;
  if (family === 'prompt') {
    if (path !== '') throw new QuoteError(whole, 'the prompt is a text without parts');
    return JSON.stringify(prompt);
  }
  if (family === 'result') {
    const latest = [...results.values()].at(-1);
    if (!latest) throw new QuoteError(whole, 'there is no result yet');
    return partOf(whole, latest, path);
  }
  const [start = '', number] = /^\.(\d+)(?=[.[]|$)/.exec(path) ?? [];
  if (number === undefined) throw new QuoteError(whole, 'a number has to follow: {results.1}');
  const result = results.get(Number(number));
  if (!result) throw new QuoteError(whole, `action ${number} has no result`);
  return partOf(whole, result, path.slice(start.length));
}

function partOf(whole: string, outcome: CallOutcome, path: string): string {
  if (path === '') return JSON.stringify(outcome.text);
  const json = structureOf(outcome);
  if (json === undefined) throw new QuoteError(whole, 'the result is not JSON');
  const value = jsonAt(json, path);
  if (value === undefined) throw new QuoteError(whole, 'the result has no such part');
  return value;
}

/** The result's structured content; a server that has none may send JSON as text. */
function structureOf({ text, result, answerText }: CallOutcome): string | undefined {
  const hasResult = result !== undefined && answerText !== undefined;
  const structured = hasResult ? jsonAt(answerText, '.result.structuredContent') : undefined;
  if (structured !== undefined) return structured;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/** Of JSON: a text as it is meant, anything else as it is written. */
function textOf(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}
