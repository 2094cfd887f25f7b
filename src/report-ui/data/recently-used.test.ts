import { expect, it, vi } from 'vitest';
import { RecentlyUsed } from './recently-used.js';

it('makes a value once, and again after others took its place', () => {
  const values = new RecentlyUsed<string, string>(2);
  const make = vi.fn((name: string) => () => name.toUpperCase());
  const get = (name: string) => values.get(name, () => make(name)());
  expect([get('a'), get('b'), get('a')]).toEqual(['A', 'B', 'A']);
  expect(make).toHaveBeenCalledTimes(2);
  get('c');
  get('a');
  expect(make).toHaveBeenCalledTimes(3);
  get('b');
  expect(make).toHaveBeenCalledTimes(4);
});
