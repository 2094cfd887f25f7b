/**
 * A JSON value as the text that came over the wire. Parsing and writing it again could change it
 * (large numbers, doubled keys), so the text is what is kept; the value is there for those who look.
 */
export class RawJson {
  /** Valid JSON. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

/** A member of a JSON object: its key, and where its value stands in the text. */
export interface JsonMember {
  key: string;
  start: number;
  end: number;
}

/**
 * The members of the object that a JSON text holds, in their order; of a key that is there twice,
 * both. A text that is no object has none. For text that is known to be valid JSON: with any other
 * it comes to an end too, but what it finds means nothing.
 */
export function findMembers(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  visitMembers(text, (key, start, end) => members.push({ key, start, end }));
  return members;
}

/** The same, without a list of what may be millions. */
export function visitMembers(
  text: string,
  visit: (key: string, start: number, end: number) => void,
): void {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== openBrace) return;
  do {
    at = skipSpace(text, at + 1);
    if (text.charCodeAt(at) !== quote) break;
    const keyEnd = findStringEnd(text, at);
    const key = parseString(text.slice(at, keyEnd));
    const colon = skipSpace(text, keyEnd);
    const start = skipSpace(text, colon + 1);
    const end = findValueEnd(text, start);
    visit(key, start, end);
    at = skipSpace(text, end);
  } while (text.charCodeAt(at) === comma);
}

/** Where the value ends that starts at a place, in valid JSON. */
export function findValueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return findStringEnd(text, start);
  if (first === openBrace || first === openBracket) return findNestedEnd(text, start);
  let end = start;
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
  return end;
}

/** Counts brackets, without recursion: however deep the value is. */
function findNestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = findStringEnd(text, at) - 1;
        break;
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        depth--;
        if (depth === 0) return at + 1;
        break;
    }
  }
  return text.length;
}

/** Behind the closing quote of the string that opens at a place. */
function findStringEnd(text: string, open: number): number {
  for (
    let close = text.indexOf('"', open + 1);
    close !== -1;
    close = text.indexOf('"', close + 1)
  ) {
    let backslashes = 0;
    while (text.charCodeAt(close - 1 - backslashes) === backslash) backslashes++;
    // An odd one belongs to the quote, the others escape each other.
    if (backslashes % 2 === 0) return close + 1;
  }
  return text.length;
}

function parseString(json: string): string {
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === carriageReturn || code === tab;
}

function endsScalar(code: number): boolean {
  return code === comma || code === closeBrace || code === closeBracket || isSpace(code);
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const space = 0x20;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const tab = 0x09;

/** Where the elements stand of the array that a JSON text holds. */
export function findElements(text: string): { start: number; end: number }[] {
  const elements: { start: number; end: number }[] = [];
  visitElements(text, (start, end) => elements.push({ start, end }));
  return elements;
}

/** The same, without a list of what may be millions; `false` ends it. */
export function visitElements(text: string, visit: (start: number, end: number) => unknown): void {
  let at = skipSpace(text, 0);
  if (text.charCodeAt(at) !== openBracket) return;
  do {
    const start = skipSpace(text, at + 1);
    const end = findValueEnd(text, start);
    if (end > start && visit(start, end) === false) return;
    at = skipSpace(text, end);
  } while (text.charCodeAt(at) === comma);
}

/** Where a value stands in a JSON text. */
interface Span {
  start: number;
  end: number;
}

type Path = readonly (string | number)[];

/**
 * Finds the value that keys and indexes lead to in a valid JSON text, however deep it goes. Of a key that is
 * there twice the last one counts, as for every parser.
 */
export function findSpan(text: string, path: Path): Span | undefined {
  let start = skipSpace(text, 0);
  let end = path.length === 0 ? findValueEnd(text, start) : text.length;
  for (const step of path) {
    const value = text.slice(start, end);
    const part = typeof step === 'number' ? findElement(value, step) : findMember(value, step);
    if (part === undefined) return undefined;
    end = start + part.end;
    start += part.start;
  }
  return { start, end };
}

function findElement(text: string, index: number): Span | undefined {
  let element: Span | undefined;
  let passed = 0;
  visitElements(text, (start, end) => {
    if (passed++ === index) element = { start, end };
    return element === undefined;
  });
  return element;
}

function findMember(text: string, name: string): Span | undefined {
  let member: Span | undefined;
  visitMembers(text, (key, start, end) => {
    if (key === name) member = { start, end };
  });
  return member;
}

/** The text of the value at a path, as it stands there: a large number keeps all its digits. */
export function readTextAt(text: string, path: Path): string | undefined {
  const span = findSpan(text, path);
  return span && text.slice(span.start, span.end);
}

/** The same text with other values at some paths. Everything else stays as it is. */
export function replaceAt(
  text: string,
  replacements: readonly { path: Path; by: string }[],
): string {
  const edits = replacements.flatMap(({ path, by }) => {
    const span = findSpan(text, path);
    return span ? [{ ...span, by }] : [];
  });
  edits.sort((left, right) => right.start - left.start);
  return edits.reduce(
    (edited, { start, end, by }) => edited.slice(0, start) + by + edited.slice(end),
    text,
  );
}

/** A line break in JSON can only be space between tokens: inside of strings it is escaped. */
export function toSingleLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

/**
 * JSON whose strings hold no character that a terminal would obey: they are escaped, which changes
 * nothing of what the JSON says. In valid JSON they stand nowhere but in strings.
 */
export function escapeTerminalCharacters(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A double holds 15 digits for certain; numbers with more may be another one after parsing. */
const maybeInexact = /\d{16}|\d\.\d{10}/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * JSON in which every number that a double may not hold is a text instead. Two values that parsing
 * would make alike, such as the ids 1234567890123456788 and 1234567890123456789, stay different.
 */
export function quoteInexactNumbers(json: string): string {
  if (!maybeInexact.test(json)) return json;
  return json.replace(stringOrNumber, (token) =>
    token.startsWith('"') || token.length < 16 ? token : JSON.stringify(`\u0000${token}`),
  );
}
