import { expect, test } from 'vitest';
import { stringifyBounded } from './bounded-json.js';

const parsed = (value: unknown): unknown => JSON.parse(stringifyBounded(value));

test('an ordinary value stays as it is', () => {
  const value = { text: 'a', list: [1, null, true, { deeper: 'b' }], nothing: undefined };
  expect(stringifyBounded(value)).toBe(JSON.stringify(value));
});

test('a long string is cut, and says how much is missing', () => {
  const { text } = parsed({ text: 'x'.repeat(5_000_000) }) as { text: string };
  const kept = 256 * 1024;
  expect(text).toBe(`${'x'.repeat(kept)} [... ${5_000_000 - kept} characters left out ...]`);
});

test('a long name of a member is cut too', () => {
  const [key] = Object.keys(parsed({ ['k'.repeat(300_000)]: 1 }) as object);
  expect(key).toMatch(/k \[\.\.\. 37856 characters left out \.\.\.\]$/);
});

test('a pair of surrogates is not cut in two', () => {
  const text = parsed(`${'x'.repeat(256 * 1024 - 1)}😀😀`) as string;
  expect(text).toMatch(/x \[\.\.\. 4 characters left out \.\.\.\]$/);
});

test('beyond a length in all, only beginnings are kept', () => {
  const strings = Array.from({ length: 200 }, () => 'x'.repeat(200_000));
  expect(stringifyBounded(strings).length).toBeLessThan(20 * 1024 * 1024);
  expect((parsed(strings) as string[]).at(-1)).toMatch(/characters left out/);
});

test('deep nesting is replaced by a mark, whatever its depth', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const alsoDeep: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
  const json = stringifyBounded([deep, alsoDeep, 'after']);
  expect(json.match(/nested too deeply/g)).toHaveLength(2);
  expect(json).toContain('"after"');
});

test('a member with the name of the prototype stays a member', () => {
  const value: unknown = JSON.parse(`{"__proto__":{"polluted":"${'x'.repeat(300_000)}"}}`);
  const bounded = parsed(value) as object;
  expect(Object.keys(bounded)).toEqual(['__proto__']);
  expect(Reflect.get(bounded, 'polluted')).toBeUndefined();
});

test('half a pair of surrogates becomes an escape, which every reader understands', () => {
  expect(stringifyBounded('\ud800')).toBe('"\\ud800"');
});
