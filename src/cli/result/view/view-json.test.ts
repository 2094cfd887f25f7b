import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringifyDeepJson } from './view-json.js';

const deep = `${'[{"a":'.repeat(30_000)}1${'}]'.repeat(30_000)}`;

it('writes what is nested deeper than JSON.stringify can go', () => {
  const value: unknown = JSON.parse(deep);
  expect(() => JSON.stringify(value)).toThrow(RangeError);
  expect(stringifyDeepJson(value)).toBe(deep);
});

it('writes the same as JSON.stringify beside something deep', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const both = JSON.parse(`[${JSON.stringify(value)},${deep}]`);
      expect(stringifyDeepJson(both)).toBe(`[${JSON.stringify(value)},${deep}]`);
    }),
    { numRuns: 5 },
  );
});
