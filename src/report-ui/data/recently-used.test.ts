import { expect, it, vi } from 'vitest';
import { RecentlyUsed } from './recently-used.js';

it('a cache makes a value once, and again after others replaced it', () => {
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
