import { expect, it } from 'vitest';
import { formatSize, truncate } from './text.js';

it.each([
  ['short enough', 12, 'short enough'],
  ['a few words', 8, 'a few …'],
  ['{"key":"secret"}', 12, '{"key": …'],
  ['nowheretocut', 5, 'nowhe …'],
])('cuts %j at %d between words', (text, maxLength, expected) => {
  expect(truncate(text, maxLength)).toBe(expected);
});

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [100_411, '98 KB'],
  [1024 ** 2 - 1, '1.0 MB'],
  [12.3 * 1024 ** 2, '12.3 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
