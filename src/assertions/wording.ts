import { isObject } from '../base/json.js';
import type { CallKind } from '../config/schemas/assertions-schema.js';
import type { ExpectedCall } from './item-matcher.js';

/**
 * Words for each kind of call. `done` is the verb; `none` says what an agent did that made no such call; `one` is
 * what is called, whatever its name.
 */
export const callWords = {
  tool: { done: 'called', none: 'made no tool call', one: 'a tool' },
  resource: { done: 'read', none: 'read no resource', one: 'a resource' },
  prompt: { done: 'used', none: 'used no prompt', one: 'a prompt' },
  skill: { done: 'loaded', none: 'loaded no skill', one: 'a skill' },
} as const satisfies Record<CallKind, { done: string; none: string; one: string }>;

// Names come from agents and servers, and may have any length.
const maxServerLength = 40;
const maxNameLength = 80;

interface NamedCall {
  kind: CallKind;
  server: string;
  name: string;
}

/** Formats the name of a call for a verdict. */
export function formatCallName({ kind, server, name }: NamedCall, redact: Redact): string {
  const shownName = truncateRedacted(name, maxNameLength, redact);
  const shownServer = truncateRedacted(server, maxServerLength, redact);
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

/**
 * Joins texts as `a`, `a and b`, `a, b and c`. If there are more than `max`, it joins the first `max` and says how
 * many others there are: `a, b and 5 more`. `total` counts also those that `parts` leaves out.
 */
export function joinWithAnd(parts: readonly string[], total = parts.length, max = 4): string {
  const shown = parts.slice(0, max);
  const hidden = total - shown.length;
  const all = hidden > 0 ? [...shown, `${hidden} more`] : shown;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

const maxPatternLength = 80;
const maxArgsLength = 160;

/** Formats what an item of an assertion expects. */
export function formatExpectedCall(expected: ExpectedCall, redact: Redact): string {
  const { args, succeeded } = expected;
  const name = formatExpectedName(expected, redact);
  const called =
    args === undefined ? name : `${name} with ${formatShortJson(args, maxArgsLength, redact)}`;
  return succeeded ? `${called} (succeeded)` : called;
}

function formatExpectedName({ kind, server, name, pattern }: ExpectedCall, redact: Redact): string {
  const exact = name === undefined ? undefined : formatCallName({ kind, server, name }, redact);
  const from = server === '' ? '' : ` of ${truncateRedacted(server, maxServerLength, redact)}`;
  if (pattern === undefined) return exact ?? `${callWords[kind].one}${from}`;
  const matching = `that matches /${truncateRedacted(pattern, maxPatternLength, redact)}/`;
  return exact === undefined
    ? `${callWords[kind].one}${from} ${matching}`
    : `${exact} or ${callWords[kind].one} ${matching}`;
}

/** Replaces the secrets in a text. */
export type Redact = (text: string) => string;

/**
 * Redacts a text and then truncates it for a verdict: half of a secret would not be recognised. The result is a
 * copy, as a slice would keep the whole string in memory.
 */
export function truncateRedacted(text: string, length: number, redact: Redact): string {
  const shown = redact(text);
  if (shown.length <= length) return shown;
  return `${Buffer.from(shown.slice(0, length - 3)).toString()}...`;
}

const maxStringLength = 60;

/**
 * Formats the beginning of a value as JSON, redacted, with about `length` characters at most. With `sortKeys`, equal
 * values have the same text.
 */
export function formatShortJson(
  value: unknown,
  length: number,
  redact: Redact,
  { sortKeys = false } = {},
): string {
  const writer = new ShortJsonWriter(length, redact, sortKeys);
  writer.write(value);
  return writer.text;
}

class ShortJsonWriter {
  text = '';
  readonly #length: number;
  readonly #redact: Redact;
  readonly #sortKeys: boolean;
  #isFull = false;

  constructor(length: number, redact: Redact, sortKeys: boolean) {
    this.#length = length;
    this.#redact = redact;
    this.#sortKeys = sortKeys;
  }

  /** Recursion ends when `length` is reached: every level of nesting takes a character. */
  write(value: unknown): void {
    if (Array.isArray(value)) this.#writeMembers('[', value.entries(), ']');
    else if (isObject(value)) this.#writeMembers('{', this.#iterateMembers(value), '}');
    else if (typeof value === 'string') this.#append(this.#quote(value));
    else this.#append(String(value));
  }

  #writeMembers(open: string, members: Iterable<[number | string, unknown]>, close: string): void {
    this.#append(open);
    let comma = '';
    for (const [key, value] of members) {
      if (this.#isFull) return;
      this.#append(typeof key === 'string' ? `${comma}${this.#quote(key)}:` : comma);
      if (this.#isFull) return;
      this.write(value);
      comma = ',';
    }
    this.#append(close);
  }

  *#iterateMembers(map: Record<string, unknown>): Generator<[string, unknown]> {
    const keys = Object.keys(map);
    for (const key of this.#sortKeys ? keys.sort() : keys) yield [key, map[key]];
  }

  #quote(text: string): string {
    return JSON.stringify(truncateRedacted(text, maxStringLength, this.#redact));
  }

  #append(part: string): void {
    if (this.#isFull) return;
    this.#isFull = this.text.length + part.length > this.#length;
    this.text += this.#isFull ? '...' : part;
  }
}
