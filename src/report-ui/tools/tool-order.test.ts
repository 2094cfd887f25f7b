import { expect, it } from 'vitest';
import { orderText, parseOrder } from './tool-order.js';

it.each(['tool', '-tool', 'errors', '-errors', 'calls'])('%s is read as it was written', (text) => {
  expect(orderText(parseOrder(text))).toBe(text);
});

it.each([null, '', '-', 'nothing', '-calls'])('%s is the order at first', (text) => {
  expect(parseOrder(text)).toEqual({ by: 'calls', descending: true });
  expect(orderText(parseOrder(text))).toBeNull();
});
