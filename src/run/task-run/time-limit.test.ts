import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimeLimit } from './time-limit.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;

/** A wait that ends when it is told to. */
function wait(limit: TimeLimit) {
  let end = () => {};
  const ended = limit.offTheClock(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  return async () => {
    end();
    await ended;
  };
}

describe('a time limit', () => {
  it('stops when time is up', () => {
    const limit = new TimeLimit(never, 1_000);
    vi.advanceTimersByTime(999);
    expect(limit.stopped).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(limit.stopped).toBe('timeout');
    expect(limit.signal.aborted).toBe(true);
  });

  it('stops with what is above it', () => {
    const above = new AbortController();
    const outer = new TimeLimit(above.signal, undefined);
    const inner = new TimeLimit(outer, 1_000);
    above.abort();
    expect([outer.stopped, inner.stopped]).toEqual(['above', 'above']);
    expect(new TimeLimit(above.signal, 1_000).stopped).toBe('above');
  });

  it('stops nothing any more when it was released, also during a wait', async () => {
    const limit = new TimeLimit(never, 1_000);
    const end = wait(limit);
    limit.release();
    await end();
    vi.advanceTimersByTime(5_000);
    expect(limit.stopped).toBeUndefined();
  });

  it('does not count time off the clock', async () => {
    const limit = new TimeLimit(never, 1_000);
    vi.advanceTimersByTime(400);
    const end = wait(limit);
    vi.advanceTimersByTime(60_000);
    expect(limit.pausedMs).toBe(60_000);
    await end();
    vi.advanceTimersByTime(599);
    expect(limit.stopped).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(limit.stopped).toBe('timeout');
    expect(limit.pausedMs).toBe(60_000);
  });

  it('counts again when the last of several waits is over', async () => {
    const limit = new TimeLimit(never, 1_000);
    const endFirst = wait(limit);
    vi.advanceTimersByTime(5_000);
    const endSecond = wait(limit);
    await endFirst();
    vi.advanceTimersByTime(5_000);
    await endSecond();
    expect(limit.pausedMs).toBe(10_000);
    vi.advanceTimersByTime(1_000);
    expect(limit.stopped).toBe('timeout');
  });

  it('does not count it in the limits above either', async () => {
    const outer = new TimeLimit(never, 1_000);
    const inner = new TimeLimit(outer, 2_000);
    const end = wait(inner);
    vi.advanceTimersByTime(10_000);
    await end();
    expect([outer.stopped, outer.pausedMs]).toEqual([undefined, 10_000]);
    vi.advanceTimersByTime(1_000);
    expect([outer.stopped, inner.stopped]).toEqual(['timeout', 'above']);
  });

  it('goes on after a wait that failed', async () => {
    const limit = new TimeLimit(never, 1_000);
    const failed = limit.offTheClock(() => Promise.reject(new Error('no')));
    await expect(failed).rejects.toThrow('no');
    vi.advanceTimersByTime(1_000);
    expect(limit.stopped).toBe('timeout');
  });
});
