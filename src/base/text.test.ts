import { expect, it } from 'vitest';
import { truncate } from './text.js';

it.each([
  ['short enough', 12, 'short enough'],
  ['a few words', 8, 'a few …'],
  ['{"key":"secret"}', 12, '{"key": …'],
  ['nowheretocut', 5, 'nowhe …'],
])('cuts %j at %d between words', (text, maxLength, expected) => {
  expect(truncate(text, maxLength)).toBe(expected);
});
