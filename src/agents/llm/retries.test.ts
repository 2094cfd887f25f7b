import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { HttpError, type HttpErrorCode } from '../../base/http/http-error.js';
import { RetriesExhaustedError } from './model-errors.js';
import { retryModelRequest } from './retries.js';

/** A failed request; without a status none was answered. */
function failed(statusCode?: number, responseHeaders: Record<string, string> = {}): APICallError {
  const url = 'http://127.0.0.1:9';
  const status = statusCode === undefined ? {} : { statusCode, responseHeaders };
  return new APICallError({ message: 'failed', url, requestBodyValues: {}, ...status });
}

/** A request that did not get to its server. */
function lost(code: HttpErrorCode): APICallError {
  const cause = new HttpError(code, 'lost');
  const url = 'http://127.0.0.1:9';
  return new APICallError({ message: 'failed', url, requestBodyValues: {}, cause });
}

/** Fails with each of the errors, then works; returns how long it waited. */
async function attemptsOf(errors: unknown[]) {
  const waits: number[] = [];
  let attempts = 0;
  const end = await retryModelRequest(
    async () => {
      const error = errors[attempts++];
      if (error !== undefined) throw error;
      return 'answer';
    },
    {
      signal: new AbortController().signal,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
      },
    },
  ).catch((error: unknown) => error);
  return { end, waits, attempts };
}

describe('asking again', () => {
  it.each([408, 429, 500, 502, 503, 529, undefined])(
    'is done with patience after status %s',
    async (status) => {
      expect(await attemptsOf([failed(status), failed(status)])).toEqual({
        end: 'answer',
        waits: [1_000, 2_000],
        attempts: 3,
      });
    },
  );

  it('has an end after five attempts', async () => {
    const { end, attempts } = await attemptsOf(Array.from({ length: 9 }, () => failed()));
    expect(end).toBeInstanceOf(RetriesExhaustedError);
    expect(attempts).toBe(5);
  });

  it.each<HttpErrorCode>(['reset', 'unreachable', 'malformed'])(
    'is done with patience when a connection fails: %s',
    async (code) => {
      const { waits } = await attemptsOf(Array.from({ length: 9 }, () => lost(code)));
      expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    },
  );

  it.each<HttpErrorCode>(['refused', 'host-not-found', 'proxy'])(
    'ends within seconds when nothing listens: %s',
    async (code) => {
      const { end, waits } = await attemptsOf(Array.from({ length: 9 }, () => lost(code)));
      expect(end).toMatchObject({ name: 'RetriesExhaustedError', attempts: 3 });
      expect(waits).toEqual([500, 1_000]);
    },
  );

  it.each<HttpErrorCode>(['tls', 'environment'])(
    'is not done when there is no way to the model: %s',
    async (code) => {
      expect(await attemptsOf([lost(code)])).toMatchObject({ attempts: 1, waits: [] });
    },
  );

  it('is done at once when an answer made no sense, two times more', async () => {
    const cut = new TypeError('terminated');
    expect(await attemptsOf([cut, cut])).toMatchObject({ end: 'answer', waits: [0, 0] });
    expect(await attemptsOf([cut, cut, cut])).toMatchObject({ attempts: 3 });
  });

  it.each([400, 401, 403, 404, 307])('is not done after status %i', async (status) => {
    expect(await attemptsOf([failed(status)])).toMatchObject({ attempts: 1 });
  });

  it('is not done after a mistake of ours', async () => {
    expect(await attemptsOf([new RangeError('deep')])).toMatchObject({ attempts: 1 });
  });

  it('waits as long as retry-after says, but not longer than a task can', async () => {
    const asked = failed(429, { 'retry-after': '7' });
    expect(await attemptsOf([asked])).toMatchObject({ waits: [7_000] });
    const tooLong = failed(429, { 'retry-after': '121' });
    expect(await attemptsOf([tooLong])).toMatchObject({ attempts: 1, waits: [] });
  });
});
