import { expect, it } from 'vitest';
import { dropPartialFirstWord, dropPartialLastWord, truncate } from './text.js';

it.each([
  ['short enough', 12, 'short enough'],
  ['a few words', 8, 'a few …'],
  ['{"key":"secret"}', 12, '{"key": …'],
  ['nowheretocut', 5, 'nowhe …'],
])('cuts %j at %d between words', (text, maxLength, expected) => {
  expect(truncate(text, maxLength)).toBe(expected);
});

it.each([
  ['a few wor', 'a few'],
  ['{"key":"secr', '{"key":'],
  ['nowheretocut', 'nowheretocut'],
  [`far ${'x'.repeat(20_000)}`, `far ${'x'.repeat(20_000)}`],
])('leaves out what is left of the last word of %.20j', (text, expected) => {
  expect(dropPartialLastWord(text)).toBe(expected);
});

it.each([
  ['ew words', 'words'],
  ['cret","more":1', ',"more":1'],
  ['nowheretocut', 'nowheretocut'],
  [`${'x'.repeat(20_000)} far`, `${'x'.repeat(20_000)} far`],
])('leaves out what is left of the first word of %.20j', (text, expected) => {
  expect(dropPartialFirstWord(text)).toBe(expected);
});
