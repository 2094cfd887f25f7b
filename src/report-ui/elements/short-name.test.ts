import { expect, it } from 'vitest';
import { shortName } from './short-name.js';

it.each([
  ['feed-pet', 'feed-pet'],
  ['', '(empty)'],
  [' \n', '(empty)'],
  ['\u202eevil\u202c', '[U+202E]evil[U+202C]'],
  ['a\u061cb', 'a[U+061C]b'],
  ['\u05e2\u05d1\u05e8', '\u05e2\u05d1\u05e8'],
])('of %j is %j', (name, shown) => {
  expect(shortName(name)).toBe(shown);
});

it('is not much longer than what one reads', () => {
  expect(shortName('x'.repeat(100_000)).length).toBeLessThan(250);
});
