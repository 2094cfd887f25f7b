import { expect, it } from 'vitest';
import { Completions } from './planned-items.js';

it('an outcome reaches those who wait for the item, and those who ask later', async () => {
  const ends = new Completions();
  const waiting = ends.of('a');
  ends.add('a', 'passed');
  ends.add('b', 'failed');
  expect(await waiting).toBe('passed');
  expect(ends.has('b')).toBe(true);
  expect(await ends.of('b')).toBe('failed');
});

it('after a cancellation the next outcome of the item is awaited', async () => {
  const ends = new Completions();
  const first = ends.of('a');
  ends.add('a', 'cancelled');
  expect(await first).toBe('cancelled');
  const second = ends.of('a');
  ends.add('a', 'error');
  expect(await second).toBe('error');
});

it('an outcome that follows a cancellation at once is not lost', async () => {
  const ends = new Completions();
  const first = ends.of('a');
  ends.add('a', 'cancelled');
  ends.add('a', 'passed');
  expect(await first).toBe('cancelled');
  expect(await ends.of('a')).toBe('passed');
  ends.add('b', 'cancelled');
  expect(ends.has('b')).toBe(false);
});
