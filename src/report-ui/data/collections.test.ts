import { expect, it, vi } from 'vitest';
import { groupBy, RecentlyUsed } from './collections.js';

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

it('groups items by a key, in the order of the first item of each group', () => {
  const groups = groupBy(['b1', 'a1', 'b2', 'c1', 'a2'], (item) => item.charAt(0));
  expect([...groups]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1', 'a2']],
    ['c', ['c1']],
  ]);
});
