import { isObject } from '../base/json.js';
import type { CallKind } from '../config/schemas/assertions-schema.js';
import type { ExpectedCall } from './item-matcher.js';

/** The words for calls of each kind. */
export const callWords = {
  tool: { done: 'called', none: 'made no tool call', one: 'a tool' },
  resource: { done: 'read', none: 'read no resource', one: 'a resource' },
  prompt: { done: 'used', none: 'used no prompt', one: 'a prompt' },
  skill: { done: 'loaded', none: 'loaded no skill', one: 'a skill' },
} as const satisfies Record<CallKind, { done: string; none: string; one: string }>;

/** Names come from agents and servers, and may have any length. */
const longestServer = 40;
const longestName = 80;

interface Named {
  kind: CallKind;
  server: string;
  name: string;
}

/** Formats the name of a call for a verdict. */
export function formatCallName({ kind, server, name }: Named, redact: Redact): string {
  const shownName = truncateRedacted(name, longestName, redact);
  const shownServer = truncateRedacted(server, longestServer, redact);
  switch (kind) {
    case 'tool':
      return `${shownServer}.${shownName}`;
    case 'resource':
      return `${shownName} of ${shownServer}`;
    case 'prompt':
      return `prompt ${shownServer}.${shownName}`;
    case 'skill':
      return `skill ${shownName}`;
  }
}

/** Joins texts as `a`, `a and b`, `a, b and c`; of many only the first, and the number of the others. */
export function joinWithAnd(parts: readonly string[], total = parts.length, most = 4): string {
  const shown = parts.slice(0, most);
  const hidden = total - shown.length;
  const all = hidden > 0 ? [...shown, `${hidden} more`] : shown;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

const longestPattern = 80;
const longestArgs = 160;

/** Formats what an item expects. */
export function formatExpectedCall(expected: ExpectedCall, redact: Redact): string {
  const { args, succeeded } = expected;
  const name = formatExpectedName(expected, redact);
  const called =
    args === undefined ? name : `${name} with ${formatShortJson(args, longestArgs, redact)}`;
  return succeeded ? `${called} (succeeded)` : called;
}

function formatExpectedName({ kind, server, name, pattern }: ExpectedCall, redact: Redact): string {
  const exact = name === undefined ? undefined : formatCallName({ kind, server, name }, redact);
  const from = server === '' ? '' : ` of ${truncateRedacted(server, 40, redact)}`;
  if (pattern === undefined) return exact ?? `${callWords[kind].one}${from}`;
  const matching = `that matches /${truncateRedacted(pattern, longestPattern, redact)}/`;
  return exact === undefined
    ? `${callWords[kind].one}${from} ${matching}`
    : `${exact} or ${callWords[kind].one} ${matching}`;
}

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * Truncates a text for a verdict. Secrets are taken out first: half of one would not be recognised. The
 * copy is for memory, as a slice keeps the whole string alive.
 */
export function truncateRedacted(text: string, length: number, redact: Redact): string {
  const shown = redact(text);
  if (shown.length <= length) return shown;
  return `${Buffer.from(shown.slice(0, length - 3)).toString()}...`;
}

const longestString = 60;

/** Formats the beginning of a value as JSON, without secrets, with about `length` characters at most. */
export function formatShortJson(value: unknown, length: number, redact: Redact): string {
  const writer = new ShortJsonWriter(length, redact);
  writer.write(value);
  return writer.text;
}

class ShortJsonWriter {
  text = '';
  readonly #length: number;
  readonly #redact: Redact;
  #isFull = false;

  constructor(length: number, redact: Redact) {
    this.#length = length;
    this.#redact = redact;
  }

  /** Recursion is bounded: every level of nesting takes a character of the length. */
  write(value: unknown): void {
    if (Array.isArray(value)) this.#writeMembers('[', value.entries(), ']');
    else if (isObject(value)) this.#writeMembers('{', entriesOf(value), '}');
    else if (typeof value === 'string') this.#append(this.#quoted(value));
    else this.#append(String(value));
  }

  #writeMembers(open: string, members: Iterable<[number | string, unknown]>, close: string): void {
    this.#append(open);
    let comma = '';
    for (const [key, value] of members) {
      if (this.#isFull) return;
      this.#append(typeof key === 'string' ? `${comma}${this.#quoted(key)}:` : comma);
      if (this.#isFull) return;
      this.write(value);
      comma = ',';
    }
    this.#append(close);
  }

  #quoted(text: string): string {
    return JSON.stringify(truncateRedacted(text, longestString, this.#redact));
  }

  #append(part: string): void {
    if (this.#isFull) return;
    this.#isFull = this.text.length + part.length > this.#length;
    this.text += this.#isFull ? '...' : part;
  }
}

function* entriesOf(map: Record<string, unknown>): Generator<[string, unknown]> {
  for (const key of Object.keys(map)) yield [key, map[key]];
}
