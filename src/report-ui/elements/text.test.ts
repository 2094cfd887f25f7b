import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, shortName, textParts } from './text.js';

describe('jsonText', () => {
  it('writes what JSON.stringify would', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value, Number.MAX_SAFE_INTEGER)).toEqual({
          text: JSON.stringify(value, null, 2),
          whole: true,
        });
      }),
    );
  });

  it('survives what is nested 30,000 deep', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
    const { text, whole } = jsonText(deep, 10_000_000);
    expect(whole).toBe(true);
    expect(text.length).toBeLessThan(5_000_000);
    expect(text.replace(/\s/g, '')).toBe(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  });

  it('stops soon after the limit', () => {
    const { text, whole } = jsonText(
      Array.from({ length: 100_000 }, () => 'item'),
      1000,
    );
    expect(whole).toBe(false);
    expect(text.length).toBeGreaterThan(1000);
    expect(text.length).toBeLessThan(1100);
  });

  it('keeps names that mean something to JavaScript', () => {
    const value: unknown = JSON.parse('{"__proto__":{"constructor":1}}');
    expect(jsonText(value, 1000).text).toContain('"__proto__"');
  });
});

describe('textParts', () => {
  it('gives back the whole text in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(textParts(text, text.length, size).join('')).toBe(text);
      }),
    );
  });

  it('ends a part with a line where there is one', () => {
    expect(textParts('one\ntwo\nthree', 100, 6)).toEqual(['one\n', 'two\n', 'three']);
  });

  it('does not tear a surrogate pair apart', () => {
    expect(textParts('a😀b', 100, 2)).toEqual(['a😀', 'b']);
  });

  it('shows the beginning alone', () => {
    const parts = textParts('x'.repeat(5_000_000), 20_000);
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
])('of %j is %j', (name, shown) => {
  expect(shortName(name)).toBe(shown);
});

it('is not much longer than what one reads', () => {
  expect(shortName('x'.repeat(100_000)).length).toBeLessThan(250);
});
