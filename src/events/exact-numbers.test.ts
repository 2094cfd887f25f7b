import { expect, it } from 'vitest';
import { exactNumbers } from './exact-numbers.js';

const parsed = (json: string): unknown => JSON.parse(exactNumbers(json));

it('keeps numbers apart that parsing would make alike', () => {
  expect(parsed('{"id":1234567890123456788}')).not.toEqual(parsed('{"id":1234567890123456789}'));
  expect(parsed('[-0.12345678901234567]')).not.toEqual(parsed('[-0.12345678901234568]'));
});

it('leaves everything else as it is', () => {
  const json = '{"a\\"1234567890123456789":"1234567890123456789","b":[1,2.5e3,true,null,"\\\\"]}';
  expect(parsed(json)).toEqual(JSON.parse(json));
  expect(exactNumbers(' {"a": 12} ')).toBe(' {"a": 12} ');
});

it('takes long texts and deep nesting', () => {
  const long = `["${'x\\"'.repeat(500_000)}",1234567890123456789]`;
  expect(parsed(long)).toHaveLength(2);
  const deep = `${'['.repeat(30_000)}1234567890123456789${']'.repeat(30_000)}`;
  expect(exactNumbers(deep)).toContain('"\\u00001234567890123456789"');
});
