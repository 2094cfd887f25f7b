import { expect, it } from 'vitest';
import { percent } from './rate-text.js';

it.each([
  [0, '0%'],
  [0.00001, '0.1%'],
  [0.5, '50.0%'],
  [2 / 3, '66.7%'],
  [0.99999, '99.9%'],
  [1, '100%'],
])('%f is %s', (share, text) => {
  expect(percent(share)).toBe(text);
});
