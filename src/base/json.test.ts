import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldPathGrammar, parseFieldPath } from './json.js';

it.each([
  ['data.items[0].id', ['data', 'items', 0, 'id']],
  ['[0].text', [0, 'text']],
  ['data.0', ['data', '0']],
  ['a b.ü-{x}', ['a b', 'ü-{x}']],
  ['a[1][22]', ['a', 1, 22]],
])('reads %s', (path, parts) => {
  expect(parseFieldPath(path)).toEqual(parts);
});

it.each([
  '',
  '.',
  '.a',
  'a.',
  'a..b',
  'a[',
  'a[]',
  'a[x]',
  'a[-1]',
  '[0]a',
  'a]',
  'a.[0]',
  '$[{x}]',
])('does not take %j for a path', (path) => {
  expect(parseFieldPath(path)).toBeUndefined();
});

it('takes a placeholder for an index in a file, where the index is not known yet', () => {
  const grammar = new RegExp(fieldPathGrammar);
  expect(
    ['a[{steps.find.stdout}].id', '[0]', 'a[x]', 'a[{}]'].map((path) => grammar.test(path)),
  ).toEqual([true, true, false, false]);
});

it('reads every path that can be written', () => {
  const key = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[.[\]]/.test(text));
  const part = fc.oneof(key, fc.nat());
  fc.assert(
    fc.property(fc.array(part, { minLength: 1 }), (parts) => {
      const written = parts
        .map((each) => (typeof each === 'number' ? `[${each}]` : `.${each}`))
        .join('')
        .replace(/^\./, '');
      expect(parseFieldPath(written)).toEqual(parts);
    }),
  );
});

it('takes any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '[', ']', '0', '\n') }), (text) => {
      const parts = parseFieldPath(text);
      expect(parts === undefined || parts.length > 0).toBe(true);
    }),
  );
});
