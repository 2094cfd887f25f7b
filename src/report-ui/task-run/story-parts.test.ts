import { expect, it } from 'vitest';
import { isOpenAtFirst, storyParts } from './story-parts.js';

it('cuts a long story into parts without losing an entry', () => {
  expect(storyParts(0)).toEqual([]);
  expect(storyParts(100)).toEqual([{ start: 0, end: 100 }]);
  expect(storyParts(201)).toEqual([
    { start: 0, end: 100 },
    { start: 100, end: 200 },
    { start: 200, end: 201 },
  ]);
});

it('shows a short story whole, and of a long one the beginning and the end', () => {
  const open = (parts: number) =>
    Array.from({ length: parts }, (_, part) => isOpenAtFirst(part, parts));
  expect(open(3)).toEqual([true, true, true]);
  expect(open(5)).toEqual([true, false, false, false, true]);
});
