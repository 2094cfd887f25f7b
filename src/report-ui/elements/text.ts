const longest = 200;

/** Characters that change the direction of a text, by which `evil` can be shown as `live`. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A name as it is shown: never empty, never long, and without hidden changes of direction. */
export function formatName(name: string): string {
  if (name.trim() === '') return '(empty)';
  const bounded = name.length > longest ? `${name.slice(0, longest)} …` : name;
  return bounded.replace(turning, (sign) => `[U+${formatCodePoint(sign)}]`);
}

function formatCodePoint(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** Truncates a text at the end of a word, or within it where the word is very long. */
export function truncateAtWord(text: string, end: number): string {
  const space = text.lastIndexOf(' ', end);
  return text.slice(0, space > end / 2 ? space : end);
}

/** Writes `1, 2 and 5`. */
export function joinWithAnd(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * Splits a text, up to `end`, in parts of about `size` characters that end with a line where
 * possible.
 */
export function splitText(text: string, end: number, size = 20_000): string[] {
  const parts: string[] = [];
  const last = Math.min(end, text.length);
  for (let start = 0; start < last; ) {
    const stop = Math.min(start + size, last);
    const lineEnd = stop < text.length ? text.lastIndexOf('\n', stop - 1) + 1 : stop;
    const next = lineEnd > start ? lineEnd : avoidSplitPair(text, stop);
    parts.push(text.slice(start, next));
    start = next;
  }
  return parts;
}

/** Moves an end by one where it would split a surrogate pair. */
function avoidSplitPair(text: string, end: number): number {
  const before = text.charCodeAt(end - 1);
  const after = text.charCodeAt(end);
  const torn = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return torn ? end + 1 : end;
}

/**
 * Deeper than this, lines are not indented further: 30,000 levels would be a gigabyte of spaces.
 */
const deepestIndent = 32;

type Token = { text: string } | { value: unknown; depth: number };

/**
 * Formats a value as indented JSON, up to about `limit` characters. It does not recurse, as values
 * from servers can be nested too deep for JSON.stringify.
 */
export function formatJson(value: unknown, limit: number): { text: string; whole: boolean } {
  const parts: string[] = [];
  const todo: Iterator<Token>[] = [[{ value, depth: 0 }][Symbol.iterator]()];
  let length = 0;
  while (length <= limit) {
    const next = todo.at(-1)?.next();
    if (!next) return { text: parts.join(''), whole: true };
    if (next.done) {
      todo.pop();
      continue;
    }
    const token = next.value;
    if ('value' in token && isContainer(token.value)) {
      todo.push(generateTokens(token.value, token.depth));
      continue;
    }
    const text = 'text' in token ? token.text : (JSON.stringify(token.value) ?? 'null');
    parts.push(text);
    length += text.length;
  }
  return { text: parts.join(''), whole: false };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function* generateTokens(value: object, depth: number): Generator<Token> {
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  if (keys.length === 0) {
    yield { text: isList ? '[]' : '{}' };
    return;
  }
  yield { text: isList ? '[' : '{' };
  const members: [string, unknown][] = isList ? [] : Object.entries(value);
  const count = isList ? value.length : members.length;
  for (let place = 0; place < count; place++) {
    const [key, member] = isList ? ['', value[place]] : (members[place] ?? ['', null]);
    yield { text: `${place === 0 ? '' : ','}\n${indent(depth + 1)}` };
    if (!isList) yield { text: `${JSON.stringify(key)}: ` };
    yield { value: member, depth: depth + 1 };
  }
  yield { text: `\n${indent(depth)}${isList ? ']' : '}'}` };
}

function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, deepestIndent));
}
