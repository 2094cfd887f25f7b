import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfValue, topLevelMembers } from './json-members.js';

const membersOf = (text: string) =>
  topLevelMembers(text).map(({ key, start, end }) => [key, text.slice(start, end)]);

describe('topLevelMembers', () => {
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
  ])('of %j', (text, members) => {
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
      expect(topLevelMembers(text).length).toBeLessThan(2);
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

describe('endOfValue', () => {
  it.each([
    ['[1, "]"] ,2', 0, '[1, "]"]'],
    ['[12,3]', 1, '12'],
    ['["a\\"",3]', 1, '"a\\""'],
    ['true', 0, 'true'],
  ])('in %s from %i', (text, start, value) => {
    expect(text.slice(start, endOfValue(text, start))).toBe(value);
  });
});
