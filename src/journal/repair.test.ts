import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { repairValue } from './repair.js';

it('repairValue leaves an element out of a list of any length', () => {
  const list: unknown[] = Array.from({ length: 200_000 }, (_, index) => index);
  list[1] = null;
  const places: string[] = [];
  const onLeftOut = ({ place }: { place: string }) => places.push(place);
  expect(repairValue(z.array(z.number()), list, { place: 'list', onLeftOut })).toBe(true);
  expect(places).toEqual(['list[1]']);
  expect(list).toHaveLength(199_999);
  expect([list[0], list[1], list.at(-1)]).toEqual([0, 2, 199_999]);
});
