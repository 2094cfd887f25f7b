import { expect, it } from 'vitest';
import { placeInOrder } from './reading-order.js';

it('goes on as the overview showed it, and ends where that ends', () => {
  const order = [7, 2, 5];
  expect(placeInOrder(order, 2, 10)).toEqual({ before: 7, after: 5, number: 2, of: 3 });
  expect(placeInOrder(order, 7, 10)).toEqual({ before: undefined, after: 2, number: 1, of: 3 });
  expect(placeInOrder(order, 5, 10)).toEqual({ before: 2, after: undefined, number: 3, of: 3 });
});

it('goes through all where the overview was not seen, or did not show this one', () => {
  expect(placeInOrder([], 0, 2)).toEqual({ before: undefined, after: 1, number: 1, of: 2 });
  expect(placeInOrder([0, 3], 1, 2)).toEqual({ before: 0, after: undefined, number: 2, of: 2 });
});
