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
export function topLevelMembers(text: string): JsonMember[] {
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
    const keyEnd = stringEnd(text, at);
    const key = stringValue(text.slice(at, keyEnd));
    const colon = skipSpace(text, keyEnd);
    const start = skipSpace(text, colon + 1);
    const end = endOfValue(text, start);
    visit(key, start, end);
    at = skipSpace(text, end);
  } while (text.charCodeAt(at) === comma);
}

/** Where the value ends that starts at a place, in valid JSON. */
export function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return stringEnd(text, start);
  if (first === openBrace || first === openBracket) return nestedEnd(text, start);
  let end = start;
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++;
  return end;
}

/** Counts brackets, without recursion: however deep the value is. */
function nestedEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = stringEnd(text, at) - 1;
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
function stringEnd(text: string, open: number): number {
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

function stringValue(json: string): string {
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
export function arrayElements(text: string): { start: number; end: number }[] {
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
    const end = endOfValue(text, start);
    if (end > start && visit(start, end) === false) return;
    at = skipSpace(text, end);
  } while (text.charCodeAt(at) === comma);
}
