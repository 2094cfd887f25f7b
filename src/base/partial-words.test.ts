import { expect, it } from 'vitest';
import { dropPartialFirstWord, dropPartialLastWord } from './text.js';

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
