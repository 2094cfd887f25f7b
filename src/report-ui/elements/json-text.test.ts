import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from './json-text.js';

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
