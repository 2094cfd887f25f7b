import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsvField } from './csv.js';

/** The fields of one row, read as RFC 4180 says. */
function fieldsOf(row: string): string[] {
  const fields = `,${row}`.match(/,(?:"(?:[^"]|"")*"|[^",]*)/g) ?? [];
  return fields.map((field) => {
    const text = field.slice(1);
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
  });
}

describe('csvField', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\uff1d1', "'\uff1d1"],
    ["'quoted", "''quoted"],
    [-1, '-1'],
    [true, 'true'],
    [null, ''],
  ])('writes %j as %j', (value, field) => {
    expect(formatCsvField(value)).toBe(field);
  });

  it('can be read again, and never begins a formula', () => {
    const text = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', "'", '"', ',', '\n', 'a') });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (texts) => {
        const read = fieldsOf(texts.map(formatCsvField).join(','));
        expect(read.every((field) => !/^[=+\-@\t\r\n]/.test(field))).toBe(true);
        expect(read.map((field) => field.replace(/^'/, ''))).toEqual(texts);
      }),
    );
  });
});
