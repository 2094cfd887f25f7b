import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OperationTimeLimit } from './operation.js';

const notEnding = new AbortController().signal;

describe('a time limit', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('aborts its signal when the time is over', () => {
    const { signal } = new OperationTimeLimit('1m30s', notEnding);
    vi.advanceTimersByTime(89_999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toEqual(new Error("the step's time limit of 1m30s was reached"));
  });

  it('may be longer than a timer can wait', () => {
    const { signal } = new OperationTimeLimit('2000h', notEnding);
    vi.advanceTimersByTime(60_000);
    expect(signal.aborted).toBe(false);
  });

  it('aborts its signal when the extension ends', () => {
    const ending = new AbortController();
    const { signal } = new OperationTimeLimit('1h', ending.signal);
    ending.abort(new Error('bye'));
    expect(signal.reason).toEqual(new Error('bye'));
  });

  it.each([undefined, 'soon'])('is none if it is %s', (timeout) => {
    const limit = new OperationTimeLimit(timeout, notEnding);
    expect(vi.getTimerCount()).toBe(0);
    expect(limit.signal.aborted).toBe(false);
  });

  it('leaves no timer behind when it is released', () => {
    const limit = new OperationTimeLimit('1h', notEnding);
    expect(vi.getTimerCount()).toBe(1);
    limit.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});
