import { expect, it } from 'vitest';
import { Completions } from './planned-items.js';

it('tells who waits, and who asks later', async () => {
  const ends = new Completions();
  const waiting = ends.of('a');
  ends.add('a', 'passed');
  ends.add('b', 'failed');
  expect(await waiting).toBe('passed');
  expect(ends.has('b')).toBe(true);
  expect(await ends.of('b')).toBe('failed');
});

it('lets who asks again after a cancellation wait for what comes of it', async () => {
  const ends = new Completions();
  const first = ends.of('a');
  ends.add('a', 'cancelled');
  expect(await first).toBe('cancelled');
  const second = ends.of('a');
  ends.add('a', 'error');
  expect(await second).toBe('error');
});

it('knows the end that came with the cancellation before it, in one breath', async () => {
  const ends = new Completions();
  const first = ends.of('a');
  ends.add('a', 'cancelled');
  ends.add('a', 'passed');
  expect(await first).toBe('cancelled');
  expect(await ends.of('a')).toBe('passed');
  ends.add('b', 'cancelled');
  expect(ends.has('b')).toBe(false);
});
