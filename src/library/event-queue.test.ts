import { describe, expect, it } from 'vitest';
import { EventQueue } from './event-queue.js';

async function collect(queue: EventQueue<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const event of queue) all.push(event);
  return all;
}

describe('EventQueue', () => {
  it('keeps what comes before the reader, and wakes a reader that waits', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    const read = collect(queue);
    await Promise.resolve();
    queue.push(2);
    setImmediate(() => {
      queue.push(3);
      queue.end();
    });
    expect(await read).toEqual([1, 2, 3]);
  });

  it('refuses a second reader beside the first', async () => {
    const queue = new EventQueue<number>();
    const read = collect(queue);
    expect(() => queue[Symbol.asyncIterator]()).toThrow('have a reader already');
    queue.end();
    expect(await read).toEqual([]);
  });

  it('throws its failure after what still waits', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    queue.fail(new Error('broken'));
    const seen: number[] = [];
    const read = async () => {
      for await (const event of queue) seen.push(event);
    };
    await expect(read()).rejects.toThrow('broken');
    expect(seen).toEqual([1]);
  });

  it('keeps nothing for a reader that has left', async () => {
    const queue = new EventQueue<number>();
    queue.push(1);
    for await (const _ of queue) break;
    queue.push(2);
    expect(await collect(queue)).toEqual([]);
  });
});
