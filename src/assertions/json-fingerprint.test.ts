import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nested } from '../../testing/agent-calls.js';
import { computeJsonFingerprint } from './json-fingerprint.js';

describe('computeJsonFingerprint', () => {
  it.each([
    ['1', '1.0'],
    ['100', '1e2'],
    ['0', '-0'],
    ['"\\u0041/"', '"A\\/"'],
    ['{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3, "c":2}, "a": 1 }'],
    ['[{"a":1,"b":2}]', '[{"b":2,"a":1}]'],
    ['12345678901234567890', '12345678901234567000'],
  ])('gives the same for %s and %s', (left, right) => {
    expect(computeJsonFingerprint(JSON.parse(left))).toBe(
      computeJsonFingerprint(JSON.parse(right)),
    );
  });

  it.each([
    ['1', '2'],
    ['1', '"1"'],
    ['null', '"null"'],
    ['null', '1e999'],
    ['1e999', '-1e999'],
    ['null', '{}'],
    ['[]', '{}'],
    ['[]', '[[]]'],
    ['[1,2]', '[2,1]'],
    ['[[1],2]', '[[1,2]]'],
    ['["a","b"]', '{"a":"b"}'],
    ['["a b"]', '["a","b"]'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
    ['{"a":null}', '{}'],
    ['{"__proto__":1}', '{}'],
    ['"\\ud800"', '"\\ud801"'],
  ])('gives different ones for %s and %s', (left, right) => {
    expect(computeJsonFingerprint(JSON.parse(left))).not.toBe(
      computeJsonFingerprint(JSON.parse(right)),
    );
  });

  it('gives a text of a fixed size, however large and deep the value is', () => {
    const deep = computeJsonFingerprint(nested(30_000));
    expect(deep).toHaveLength(43);
    expect(computeJsonFingerprint(nested(30_000, '2'))).not.toBe(deep);
    expect(computeJsonFingerprint(nested(30_000))).toBe(deep);
    expect(computeJsonFingerprint('x'.repeat(1_000_000))).toHaveLength(43);
  });

  it('gives the same for two values exactly if they are equal but for the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (left, right) => {
        expect(computeJsonFingerprint(reversed(left))).toBe(computeJsonFingerprint(left));
        const isSame = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(computeJsonFingerprint(left) === computeJsonFingerprint(right)).toBe(isSame);
      }),
    );
  });
});

const reversed = (value: unknown) => withKeys(value, (keys) => keys.reverse());
const sorted = (value: unknown) => withKeys(value, (keys) => keys.sort());

function withKeys(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeys(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const map = new Map(Object.entries(value));
  const entries = order([...map.keys()]).map((key) => [key, withKeys(map.get(key), order)]);
  return Object.fromEntries(entries);
}
