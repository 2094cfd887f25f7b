import { parseFieldPath } from '../../base/json.js';
import { readTextAt } from '../../base/json-text.js';
import type { CallOutcome } from '../../mcp/mcp-client.js';

/** The values that a script can quote. */
export interface Quotable {
  prompt: string;
  /** Results by the number of the action, from 1; the latest comes last. */
  results: ReadonlyMap<number, CallOutcome>;
}

/** A quote of something that does not exist. The message is a sentence. */
export class QuoteError extends Error {
  constructor(quote: string, reason: string) {
    super(`The script quotes ${quote}, but ${reason}.`);
    this.name = 'QuoteError';
  }
}

const quote = /\{(prompt|results?)((?:\.|\[)[^{}\n]*)?\}/g;

/** Replaces the quotes in a text; other braces are left alone. Throws QuoteError. */
export function fillQuotes(text: string, quotable: Quotable): string {
  return text.replace(quote, (whole, family: string, path = '') =>
    toText(resolveQuote(whole, family, path, quotable)),
  );
}

/**
 * Writes a value as JSON with its quotes replaced. A text that is nothing but a quote becomes the
 * value itself, whatever its type. Throws QuoteError.
 */
export function fillJsonQuotes(value: unknown, quotable: Quotable): string {
  if (typeof value === 'string') return fillTextQuotes(value, quotable);
  if (Array.isArray(value)) {
    return `[${value.map((item) => fillJsonQuotes(item, quotable)).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${fillJsonQuotes(member, quotable)}`,
  );
  return `{${members.join(',')}}`;
}

function fillTextQuotes(text: string, quotable: Quotable): string {
  const [match] = text.matchAll(quote);
  if (match?.[0] !== text) return JSON.stringify(fillQuotes(text, quotable));
  const [whole, family = '', path = ''] = match;
  return resolveQuote(whole, family, path, quotable);
}

/** Returns the value of a quote as JSON. */
function resolveQuote(whole: string, family: string, path: string, quotable: Quotable): string {
  const { prompt, results } = quotable;
  if (family === 'prompt') {
    if (path !== '') throw new QuoteError(whole, 'the prompt is a text without parts');
    return JSON.stringify(prompt);
  }
  if (family === 'result') {
    const latest = [...results.values()].at(-1);
    if (!latest) throw new QuoteError(whole, 'there is no result yet');
    return readResultPart(whole, latest, path);
  }
  const [start = '', number] = /^\.(\d+)(?=[.[]|$)/.exec(path) ?? [];
  if (number === undefined) throw new QuoteError(whole, 'a number has to follow: {results.1}');
  const result = results.get(Number(number));
  if (!result) throw new QuoteError(whole, `action ${number} has no result`);
  return readResultPart(whole, result, path.slice(start.length));
}

function readResultPart(whole: string, outcome: CallOutcome, path: string): string {
  if (path === '') return JSON.stringify(outcome.text);
  const json = findStructure(outcome);
  if (json === undefined) throw new QuoteError(whole, 'the result is not JSON');
  const value = readJsonPath(json, path);
  if (value === undefined) throw new QuoteError(whole, 'the result has no such part');
  return value;
}

/** Returns the result's structured content; a server without it may send JSON as text. */
function findStructure({ text, result, answerText }: CallOutcome): string | undefined {
  const hasResult = result !== undefined && answerText !== undefined;
  const structured = hasResult ? readJsonPath(answerText, '.result.structuredContent') : undefined;
  if (structured !== undefined) return structured;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/** Converts JSON to text: a string without its quotes, anything else as it is written. */
function toText(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Reads the value at a path such as `.items[0].id` in valid JSON, as it is written there. */
function readJsonPath(json: string, path: string): string | undefined {
  const parts = parseFieldPath(path.replace(/^\./, ''));
  return parts && readTextAt(json, parts);
}
