import { expect, test } from 'vitest';
import type { TaskRun } from '../plan/plan.js';
import { createItemFinder, formatItem, parseItem } from './items.js';

const taskRun = (task: string, run: number, variant?: string) =>
  ({ task: { name: task }, run, ...(variant && { variant: { name: variant } }) }) as TaskRun;

test('a task run is known by the places of its task and variant, and by its number', () => {
  const itemFor = createItemFinder({ tasks: ['a', 'b'], variants: ['x', 'y'] });

  expect(itemFor(taskRun('b', 3, 'y'))).toBe('1-1-3');
  expect(parseItem('1-1-3')).toEqual({ task: 1, variant: 1, run: 3 });
  expect(formatItem({ task: 1, variant: 1, run: 3 })).toBe('1-1-3');
});

test('without a matrix there is one variant', () => {
  expect(createItemFinder({ tasks: ['a'], variants: [] })(taskRun('a', 1))).toBe('0-0-1');
});

test('a task that is not part of the run is none of its items', () => {
  expect(() => createItemFinder({ tasks: ['a'], variants: [] })(taskRun('b', 1))).toThrow(
    'b is not part',
  );
});

test.each(['', '1-2', '1-2-3-4', 'a-b-c', '-1-0-1'])('%j is no item', (text) => {
  expect(parseItem(text)).toBeUndefined();
});
