import { stringLiteralEnd } from './go-string-literal.js';
import type { Span } from './template-problem.js';

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
export function closerAt(source: string, position: number): 0 | 2 | 4 {
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
    end = stringLiteralEnd(source, offset);
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
