import { expect, it } from 'vitest';
import { sizeText } from './size-text.js';

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [100_411, '98 KB'],
  [1024 ** 2 - 1, '1.0 MB'],
  [12.3 * 1024 ** 2, '12.3 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
