import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findMembers,
  findSpan,
  findValueEnd,
  quoteInexactNumbers,
  readTextAt,
  replaceAt,
} from './json-text.js';

const membersOf = (text: string) =>
  findMembers(text).map(({ key, start, end }) => [key, text.slice(start, end)]);

describe('findMembers', () => {
  it.each([
    ['{}', []],
    [' \r\n\t{ } ', []],
    ['[1,{"a":2}]', []],
    ['"text"', []],
    ['', []],
    ['{"a":1}', [['a', '1']]],
    ['{"a":-1.5e+3}', [['a', '-1.5e+3']]],
    [
      ' { "a" : true , "b" :\n null } ',
      [
        ['a', 'true'],
        ['b', 'null'],
      ],
    ],
    [
      '{"a":{"b":"}"},"c":["]","[",{}]}',
      [
        ['a', '{"b":"}"}'],
        ['c', '["]","[",{}]'],
      ],
    ],
    [
      '{"a":"\\"}","b":"\\\\","c":"\\\\\\""}',
      [
        ['a', '"\\"}"'],
        ['b', '"\\\\"'],
        ['c', '"\\\\\\""'],
      ],
    ],
    [
      '{"\\u0061\\"":1,"":2}',
      [
        ['a"', '1'],
        ['', '2'],
      ],
    ],
    [
      '{"a":1,"a":2}',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['{"a":{"a":[1, 2 ]} }', [['a', '{"a":[1, 2 ]}']]],
    ['{"__proto__":1}', [['__proto__', '1']]],
  ])('finds the members of %j', (text, members) => {
    expect(membersOf(text)).toEqual(members);
  });

  it('finds what JSON.parse finds, however the text is spaced', () => {
    const indent = fc.constantFrom('', ' ', '\t', '  ');
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
        indent,
        (value, space) => {
          const text = JSON.stringify(value, null, space);
          const found = membersOf(text).map(([key, json]) => [key, JSON.parse(json ?? '')]);
          expect(found).toEqual(Object.entries(JSON.parse(text)));
        },
      ),
    );
  });

  it.each(['{"a":', '{"a":"b', '{"a', '{"a":[[', '{"a":1', '{"a":1,', '{a', '{"a"1}'])(
    'comes to an end with %s',
    (text) => {
      expect(findMembers(text).length).toBeLessThan(2);
    },
  );

  it('takes deep and long values', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const quotes = `"${'\\"'.repeat(300_000)}${'\\\\'.repeat(300_000)}"`;
    expect(membersOf(`{"a":${deep},"b":${quotes}}`)).toEqual([
      ['a', deep],
      ['b', quotes],
    ]);
  });
});

describe('findValueEnd', () => {
  it.each([
    ['[1, "]"] ,2', 0, '[1, "]"]'],
    ['[12,3]', 1, '12'],
    ['["a\\"",3]', 1, '"a\\""'],
    ['true', 0, 'true'],
  ])('finds the end of the value in %s from %i', (text, start, value) => {
    expect(text.slice(start, findValueEnd(text, start))).toBe(value);
  });
});

const parsed = (json: string): unknown => JSON.parse(quoteInexactNumbers(json));

it('quoteInexactNumbers keeps numbers apart that parsing would make alike', () => {
  expect(parsed('{"id":1234567890123456788}')).not.toEqual(parsed('{"id":1234567890123456789}'));
  expect(parsed('[-0.12345678901234567]')).not.toEqual(parsed('[-0.12345678901234568]'));
});

it('quoteInexactNumbers leaves everything else as it is', () => {
  const json = '{"a\\"1234567890123456789":"1234567890123456789","b":[1,2.5e3,true,null,"\\\\"]}';
  expect(parsed(json)).toEqual(JSON.parse(json));
  expect(quoteInexactNumbers(' {"a": 12} ')).toBe(' {"a": 12} ');
});

it('quoteInexactNumbers takes long texts and deep nesting', () => {
  const long = `["${'x\\"'.repeat(500_000)}",1234567890123456789]`;
  expect(parsed(long)).toHaveLength(2);
  const deep = `${'['.repeat(30_000)}1234567890123456789${']'.repeat(30_000)}`;
  expect(quoteInexactNumbers(deep)).toContain('"\\u00001234567890123456789"');
});

it('readTextAt finds a value as it is written', () => {
  const json = ' {"a":[1, {"b" : 9007199254740993}], "0":"x", "a.b":null} ';
  expect(readTextAt(json, [])).toBe(json.trim());
  expect(readTextAt(json, ['a', 1])).toBe('{"b" : 9007199254740993}');
  expect(readTextAt(json, ['a', 1, 'b'])).toBe('9007199254740993');
  expect(readTextAt(json, ['0'])).toBe('"x"');
  expect(readTextAt(json, ['a.b'])).toBe('null');
});

it.each([[['x']], [['a', '0']], [[0]], [['a', 5]], [['a', 0, 'b']], [['constructor']]])(
  'finds nothing at %j',
  (path) => {
    expect(readTextAt('{"a":["text"]}', path)).toBeUndefined();
  },
);

it('readTextAt takes the last of two keys that are the same', () => {
  expect(readTextAt('{"a":1,"a":2}', ['a'])).toBe('2');
});

it('readTextAt finds everything that is in a value', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      const walk = (value: unknown, path: (string | number)[]) => {
        expect(JSON.parse(readTextAt(json, path) ?? 'undefined')).toEqual(value);
        if (typeof value !== 'object' || value === null) return;
        for (const [key, item] of Object.entries(value)) {
          walk(item, [...path, Array.isArray(value) ? Number(key) : key]);
        }
      };
      walk(JSON.parse(json), []);
    }),
  );
});

const otherKey = fc.string().map((key) => `k${key}`);

describe('places in JSON', () => {
  it('are found by readTextAt whatever stands around them', () => {
    const text = ' { "a\\u0062" : {"c": [1, {"d": "}"}] , "e":"\\"" } , "id" :7}';
    expect(readTextAt(text, ['ab', 'e'])).toBe('"\\""');
    expect(readTextAt(text, ['ab', 'c'])).toBe('[1, {"d": "}"}]');
    expect(readTextAt(text, ['id'])).toBe('7');
    expect(findSpan(text, ['ab', 'nope'])).toBeUndefined();
    expect(findSpan(text, ['id', 'nope'])).toBeUndefined();
  });

  it('can get another value while everything else stays', () => {
    fc.assert(
      fc.property(fc.dictionary(otherKey, fc.jsonValue()), fc.nat(), (object, id) => {
        const text = JSON.stringify({ ...object, id: 'old' }, undefined, 1);
        const edited = replaceAt(text, [{ path: ['id'], by: String(id) }]);
        expect(edited).toBe(text.replace(/"old"(?=\n\}$)/, String(id)));
        expect(JSON.stringify(JSON.parse(edited))).toBe(JSON.stringify({ ...object, id }));
      }),
    );
  });

  it('can be several at once', () => {
    const replacements = [
      { path: ['id'], by: '99' },
      { path: ['params', '_meta', 'progressToken'], by: '"t"' },
      { path: ['missing'], by: 'x' },
    ];
    const text = '{"params":{"_meta":{"progressToken":1},"a":1},"id":1}';
    expect(replaceAt(text, replacements)).toBe(
      '{"params":{"_meta":{"progressToken":"t"},"a":1},"id":99}',
    );
  });
});
