import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringLiteralValue } from './go-string-literal.js';
import { quoteString } from './quote-string.js';

describe('quoteString', () => {
  // As the documentation of strconv.Quote has it.
  it.each([
    ['plain words', '"plain words"'],
    [`it's "quoted"`, `"it's \\"quoted\\""`],
    ['back\\slash', '"back\\\\slash"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\0\u001b\u007f', '"\\x00\\x1b\\x7f"'],
    ['\u00a0\u200b\ufeff', '"\\u00a0\\u200b\\ufeff"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['é 日本語 😀', '"é 日本語 😀"'],
  ])('writes %j', (text, expected) => {
    expect(quoteString(text)).toBe(expected);
  });

  it('writes what Go reads as the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(stringLiteralValue(quoteString(text))).toBe(text);
      }),
    );
  });
});
