import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson, formatName, splitText } from './text.js';

describe('formatJson', () => {
  it('formats JSON as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(formatJson(value, Number.MAX_SAFE_INTEGER)).toEqual({
          text: JSON.stringify(value, null, 2),
          whole: true,
        });
      }),
    );
  });

  it('formats JSON that is nested 30,000 levels deep', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    const { text, whole } = formatJson(deep, 10_000_000);
    expect(whole).toBe(true);
    expect(text.length).toBeLessThan(5_000_000);
    expect(text.replace(/\s/g, '')).toBe(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  });

  it('formats JSON up to about the limit', () => {
    const { text, whole } = formatJson(
      Array.from({ length: 100_000 }, () => 'item'),
      1000,
    );
    expect(whole).toBe(false);
    expect(text.length).toBeGreaterThan(1000);
    expect(text.length).toBeLessThan(1100);
  });

  it('formats keys such as __proto__ like any other', () => {
    const value: unknown = JSON.parse('{"__proto__":{"constructor":1}}');
    expect(formatJson(value, 1000).text).toContain('"__proto__"');
  });
});

describe('splitText', () => {
  it('the parts of a text make up the whole text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(splitText(text, text.length, size).join('')).toBe(text);
      }),
    );
  });

  it('a part of a text ends with a line where possible', () => {
    expect(splitText('one\ntwo\nthree', 100, 6)).toEqual(['one\n', 'two\n', 'three']);
  });

  it('a part of a text does not split a surrogate pair', () => {
    expect(splitText('a😀b', 100, 2)).toEqual(['a😀', 'b']);
  });

  it('a text is split up to the limit alone', () => {
    const parts = splitText('x'.repeat(5_000_000), 20_000);
    expect(parts.join('')).toBe('x'.repeat(20_000));
  });
});

it.each([
  ['feed-pet', 'feed-pet'],
  ['', '(empty)'],
  [' \n', '(empty)'],
  ['\u202eevil\u202c', '[U+202E]evil[U+202C]'],
  ['a\u061cb', 'a[U+061C]b'],
  ['\u05e2\u05d1\u05e8', '\u05e2\u05d1\u05e8'],
])('the name %j is shown as %j', (name, shown) => {
  expect(formatName(name)).toBe(shown);
});

it('a long name is truncated', () => {
  expect(formatName('x'.repeat(100_000)).length).toBeLessThan(250);
});
