/** A double holds 15 digits for certain; numbers with more may be another one after parsing. */
const maybeInexact = /\d{16}|\d\.\d{10}/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;

/**
 * JSON in which every number that a double may not hold is a text instead. Two values that parsing
 * would make alike, such as the ids 1234567890123456788 and 1234567890123456789, stay different.
 */
export function exactNumbers(json: string): string {
  if (!maybeInexact.test(json)) return json;
  return json.replace(stringOrNumber, (token) =>
    token.startsWith('"') || token.length < 16 ? token : JSON.stringify(`\u0000${token}`),
  );
}
