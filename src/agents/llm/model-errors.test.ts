import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from './model-errors.js';

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after-ms': '12.5', 'retry-after': '2' }, 12.5],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5x' }, undefined],
    [{}, undefined],
  ])('%j is %s', (headers, expected) => {
    expect(parseRetryAfter(headers)).toBe(expected);
  });

  it('may be a date to come', () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    expect(parseRetryAfter({ 'retry-after': date })).toBeGreaterThan(50_000);
  });
});
