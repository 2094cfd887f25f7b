import type { ChainableCommander } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { execPipeline, retryOnReconnect } from './redis-connection.js';

/** What ioredis says of the rest of a pipeline when the connection breaks. */
class AbortError extends Error {
  override readonly name = 'AbortError';
}

function failing(...errors: Error[]) {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error) throw error;
    return 'done';
  };
}

describe('what may be asked again', () => {
  it('is, as often as the connection breaks in its middle, or the server has forgotten a script', async () => {
    const forgotten = new Error('NOSCRIPT No matching script. Please use EVAL.');
    expect(await retryOnReconnect(failing(new AbortError(), forgotten, new AbortError()))).toBe(
      'done',
    );
  });

  it('is not when it failed for another reason', async () => {
    const work = failing(new Error('WRONGTYPE'));
    await expect(retryOnReconnect(work)).rejects.toThrow('WRONGTYPE');
  });

  it('has failed if one of several commands has', async () => {
    const results: [Error | null, unknown][] = [
      [null, 1],
      [new AbortError('broken off'), undefined],
    ];
    const pipeline = { exec: async () => results } as unknown as ChainableCommander;
    await expect(execPipeline(pipeline)).rejects.toThrow('broken off');
  });
});
