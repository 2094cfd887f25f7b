const encodedStart = '=?base64?';
const encodedEnd = '?=';

/** A value of a message as an HTTP header may carry it (MCP 2026-07-28, "Value Encoding"). */
export function headerValue(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  // What only looks encoded would be decoded by the server.
  const looksEncoded = text.startsWith(encodedStart) && text.endsWith(encodedEnd);
  if (isPlain && !looksEncoded) return text;
  return encodedStart + Buffer.from(text, 'utf8').toString('base64') + encodedEnd;
}

/** What a header says, if it was encoded. */
export function decodedHeaderValue(value: string): string {
  if (!value.startsWith(encodedStart) || !value.endsWith(encodedEnd)) return value;
  const encoded = value.slice(encodedStart.length, -encodedEnd.length);
  return Buffer.from(encoded, 'base64').toString('utf8');
}
