import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPart } from './json-part.js';

it('finds a value as it is written', () => {
  const json = ' {"a":[1, {"b" : 9007199254740993}], "0":"x", "a.b":null} ';
  expect(jsonPart(json, [])).toBe(json.trim());
  expect(jsonPart(json, ['a', 1])).toBe('{"b" : 9007199254740993}');
  expect(jsonPart(json, ['a', 1, 'b'])).toBe('9007199254740993');
  expect(jsonPart(json, ['0'])).toBe('"x"');
  expect(jsonPart(json, ['a.b'])).toBe('null');
});

it.each([[['x']], [['a', '0']], [[0]], [['a', 5]], [['a', 0, 'b']], [['constructor']]])(
  'finds nothing at %j',
  (path) => {
    expect(jsonPart('{"a":["text"]}', path)).toBeUndefined();
  },
);

it('takes the last of two keys that are the same', () => {
  expect(jsonPart('{"a":1,"a":2}', ['a'])).toBe('2');
});

it('finds everything that is in a value', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const walk = (value: unknown, path: (string | number)[]) => {
        expect(JSON.parse(jsonPart(json, path) ?? 'undefined')).toEqual(value);
        if (typeof value !== 'object' || value === null) return;
        for (const [key, item] of Object.entries(value)) {
          walk(item, [...path, Array.isArray(value) ? Number(key) : key]);
        }
      };
      walk(JSON.parse(json), []);
    }),
  );
});
