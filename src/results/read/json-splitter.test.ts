import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonPart, JsonSplitter } from './json-splitter.js';

/** Cut into chunks of a length, by bytes: in the middle of characters too. */
function split(text: string, chunkLength: number, keys: string[] = ['list']): JsonPart[] {
  const splitter = new JsonSplitter(new Set(keys));
  const bytes = Buffer.from(text);
  const parts: JsonPart[] = [];
  for (let at = 0; at < bytes.length; at += chunkLength) {
    const chunk = Buffer.from(bytes.subarray(at, at + chunkLength));
    parts.push(...splitter.push(chunk));
    // What reads files uses the memory again.
    chunk.fill(0);
  }
  splitter.end();
  return parts;
}

const parsed = (parts: JsonPart[]) =>
  parts.map(({ key, index, text }) => ({ key, index, value: JSON.parse(text) }));

describe('JsonSplitter', () => {
  it('does not take a mark of UTF-8 at the beginning for a part of it', () => {
    const [part] = split('\ufeff{"a":1}', 100);
    expect(part).toEqual({ key: 'a', index: undefined, text: '1', place: { start: 8, length: 1 } });
    expect(() => split('{"a":\ufeff1}\ufeff', 100)).toThrow('something follows its end');
  });

  it('finds the members of an object and the elements of its arrays, wherever chunks end', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const key = fc.oneof(fc.constantFrom('list', 'other', 'a"b\\'), fc.string());
    const list = fc.array(value);
    const document = fc.tuple(fc.dictionary(key, value), list, fc.boolean());
    fc.assert(
      fc.property(document, fc.integer({ min: 1, max: 20 }), ([object, list, isSpaced], length) => {
        const text = JSON.stringify({ ...object, list }, null, isSpaced ? 2 : 0);
        const members: unknown[] = Object.entries({ ...object, list }).flatMap<unknown>(
          ([key, value]) =>
            key === 'list'
              ? list.map((value, index) => ({ key: 'list', index, value }))
              : [{ key, index: undefined, value }],
        );
        const parts = split(text, length);
        expect(parsed(parts)).toEqual(JSON.parse(JSON.stringify(members), undefined));
        const bytes = Buffer.from(text);
        for (const { text, place } of parts) {
          const { start, length } = place;
          expect(bytes.toString('utf8', start, start + length)).toBe(text);
        }
      }),
    );
  });

  it('finds the elements of an array', () => {
    const parts = parsed(split(' [ {"list":[1,2]} , [3], "x,]" , null ] \n', 3));
    expect(parts.map(({ value }) => value)).toEqual([{ list: [1, 2] }, [3], 'x,]', null]);
    expect(parts.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(split('[]', 1)).toEqual([]);
    expect(split('{"list":[],"x":1}', 1)).toHaveLength(1);
  });

  it('keeps a value whole that is no array, whatever its key', () => {
    expect(parsed(split('{"list":{"a":[1]}}', 2))).toEqual([
      { key: 'list', index: undefined, value: { a: [1] } },
    ]);
  });

  it('takes nesting without end', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(split(`[${deep}]`, 65_536)[0]?.text).toBe(deep);
  });

  it.each([
    ['', 'it ends too early'],
    ['[1', 'it ends too early'],
    ['{"a":"x', 'it ends too early'],
    ['{"list":[1,2]', 'it ends too early'],
    ['12', 'expected an object or an array'],
    ['"text"', 'expected an object or an array'],
    ['[1,,2]', 'a value is missing'],
    ['[1,]', 'a value is missing'],
    ['{"a":}', 'a value is missing'],
    ['{"a":1,}', 'a value is missing'],
    ['{"a"}', 'a value is missing'],
    ['{1:2}', 'expected a key'],
    ['{:2}', 'expected a key'],
    ['{a:2}', 'expected a key'],
    ['[1}', 'a bracket too many'],
    ['{"list":[1}', 'a bracket too many'],
    ['[]]', 'a bracket too many'],
    ['[] x', 'something follows its end'],
    ['{"list":[1] 2}', 'a comma is missing'],
  ])('refuses %s', (text, reason) => {
    for (const length of [1, 100]) expect(() => split(text, length)).toThrow(reason);
  });
});
