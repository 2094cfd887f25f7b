/**
 * A field of CSV (RFC 4180). What a spreadsheet would take for a formula gets an apostrophe before
 * it, which makes it text; a program takes that one away again.
 */
export function csvField(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = beginsFormula.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Also in the wide forms of East Asian keyboards; an apostrophe, so that it can be told apart. */
const beginsFormula = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const needsQuotes = /[",\r\n]|^\s|\s$/;
