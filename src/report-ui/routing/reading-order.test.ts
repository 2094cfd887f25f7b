import { expect, it } from 'vitest';
import { placeInOrder } from './reading-order.js';

const all = () => [3, 1, 0, 2];

it('goes on as the overview shows it, and ends where that ends', () => {
  const shown = [7, 2, 5];
  expect(placeInOrder(shown, all, 2)).toEqual({ before: 7, after: 5, number: 2, of: 3 });
  expect(placeInOrder(shown, all, 7)).toEqual({ before: undefined, after: 2, number: 1, of: 3 });
  expect(placeInOrder(shown, all, 5)).toEqual({ before: 2, after: undefined, number: 3, of: 3 });
});

it('goes through all where the filters do not show this one', () => {
  expect(placeInOrder([], all, 3)).toEqual({ before: undefined, after: 1, number: 1, of: 4 });
  expect(placeInOrder([0, 3], all, 1)).toEqual({ before: 3, after: 0, number: 2, of: 4 });
});
