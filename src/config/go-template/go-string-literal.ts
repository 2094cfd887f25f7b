/** Where the literal that begins at an offset ends, or -1 if it is not closed. */
export function stringLiteralEnd(source: string, start: number): number {
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
export function stringLiteralValue(literal: string): string | undefined {
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
