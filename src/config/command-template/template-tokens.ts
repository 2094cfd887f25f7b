/** A stretch of a template; offsets count UTF-16 units of its source. */
export interface Span {
  offset: number;
  length: number;
}

/** What is wrong with a template, and where. */
export interface TemplateProblem extends Span {
  message: string;
  hint?: string;
}

/** Notes a problem; gives undefined, which a parser can return for what it could not read. */
export type Report = (where: Span, message: string, hint?: string) => undefined;

type TokenKind =
  | 'field'
  | 'string'
  | 'keyword'
  | 'word'
  | 'space'
  | 'pipe'
  | 'open'
  | 'close'
  | 'other';
export type Token = Span & { kind: TokenKind; text: string };

/** Also those that these templates do not support, so that they do not pass for functions. */
const keywords = new Set('if else end range with define block template break continue'.split(' '));

const punctuation = new Map<string, TokenKind>([
  ['|', 'pipe'],
  ['(', 'open'],
  [')', 'close'],
]);

export function isSpace(letter: string | undefined): boolean {
  return letter === ' ' || letter === '\t' || letter === '\r' || letter === '\n';
}

/** The length of the `}}` or ` -}}` at a position, or 0. */
export function measureCloser(source: string, position: number): 0 | 2 | 4 {
  if (source.startsWith('}}', position)) return 2;
  return isSpace(source[position]) && source.startsWith('-}}', position + 1) ? 4 : 0;
}

/** White space comes one by one, as its last may belong to a trim marker; undefined: unclosed. */
export function readToken(source: string, offset: number): Token | undefined {
  const first = codePointAt(source, offset);
  let kind: TokenKind = punctuation.get(first) ?? (isSpace(first) ? 'space' : 'other');
  let end = offset + first.length;
  if (first === '"' || first === '`') {
    kind = 'string';
    end = findStringLiteralEnd(source, offset);
    if (end === -1) return undefined;
  } else if (first === '.' || first === '$' || isLetter(first)) {
    kind = first === '.' ? 'field' : 'word';
    for (let letter = codePointAt(source, end); letter === '.' || isLetter(letter); ) {
      end += letter.length;
      letter = codePointAt(source, end);
    }
  }
  const text = source.slice(offset, end);
  if (keywords.has(text)) kind = 'keyword';
  return { kind, text, offset, length: end - offset };
}

function codePointAt(source: string, offset: number): string {
  const codePoint = source.codePointAt(offset);
  return codePoint === undefined ? '' : String.fromCodePoint(codePoint);
}

function isLetter(letter: string): boolean {
  return /^[\p{L}\p{Nd}_]$/u.test(letter);
}

/** Where the literal that begins at an offset ends, or -1 if it is not closed. */
function findStringLiteralEnd(source: string, start: number): number {
  if (source[start] === '`') return source.indexOf('`', start + 1) + 1 || -1;
  for (let end = start + 1; end < source.length; end++) {
    if (source[end] === '"') return end + 1;
    if (source[end] === '\\') end++;
    if (source[end] === '\n') break;
  }
  return -1;
}

const escapes =
  /\\(?:([abfnrtv])|([\\"])|([0-3][0-7]{2})|x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8}))/g;
const escapedBytes = new Map(Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 }));

/** Undefined for an escape that Go does not know, and for bytes that are no UTF-8. */
export function parseStringLiteral(literal: string): string | undefined {
  const body = literal.slice(1, -1);
  if (literal.startsWith('`')) return body.replaceAll('\r', '');
  // An escape may give a single byte of a character, so all meet as percent-encoded bytes.
  let encoded = '';
  let end = 0;
  try {
    for (const match of body.matchAll(escapes)) {
      const [found, simple, itself, octal, byte, short, long] = match;
      encoded += encodeText(body.slice(end, match.index));
      end = match.index + found.length;
      if (simple) encoded += encodeByte(escapedBytes.get(simple) ?? 0);
      else if (itself) encoded += encodeURIComponent(itself);
      else if (octal) encoded += encodeByte(Number.parseInt(octal, 8));
      else if (byte) encoded += encodeByte(Number.parseInt(byte, 16));
      else encoded += encodeText(String.fromCodePoint(Number.parseInt(short ?? long ?? '', 16)));
    }
    return decodeURIComponent(encoded + encodeText(body.slice(end)));
  } catch {
    return undefined;
  }
}

function encodeText(text: string): string {
  if (text.includes('\\')) throw new Error('an escape that Go does not know');
  return encodeURIComponent(text);
}

function encodeByte(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`;
}
