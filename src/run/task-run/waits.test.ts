import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventBody } from '../../journal/event.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import { TimeLimit } from './time-limit.js';
import { Waits } from './waits.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A task run with a limit of ten seconds, and what it tells. */
function taskRun() {
  const told: EventBody[] = [];
  const waits = new Waits({ write: (event) => told.push(event) }, 'a#1');
  const stop = new AbortController();
  return { told, waits, stop, limit: new TimeLimit(stop.signal, 10_000) };
}

/** Turns that are given when the test says so. */
function heldTurns() {
  const waiting: (() => void)[] = [];
  const turns: ModelGate = {
    acquire: () => new Promise((resolve) => waiting.push(() => resolve({ settle: () => {} }))),
    pause: () => {},
  };
  return { turns, waiting };
}

const of = { provider: 'openai', model: 'gpt-5' };
const { signal } = new AbortController();

it('a long wait is recorded, and does not count against the limit', async () => {
  const { told, waits, limit } = taskRun();
  const { turns, waiting } = heldTurns();
  const permit = waits.turnsWithin(limit, turns).acquire(of, 1, signal);
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(59_001);
  const wait = { taskRun: 'a#1', for: 'model', model: 'openai:gpt-5' };
  expect(told).toEqual([{ type: 'wait-started', ...wait }]);
  waiting[0]?.();
  await permit;
  expect(told.slice(1)).toEqual([{ type: 'wait-ended', ...wait, durationMs: 60_000 }]);
  expect([limit.stopped, limit.pausedMs]).toEqual([undefined, 60_000]);
});

it('a short wait is not recorded, and does not count against the limit either', async () => {
  const { told, waits, limit } = taskRun();
  const { turns, waiting } = heldTurns();
  const permit = waits.turnsWithin(limit, turns).acquire(of, 1, signal);
  vi.advanceTimersByTime(500);
  waiting[0]?.();
  await permit;
  vi.advanceTimersByTime(5_000);
  expect([told, limit.pausedMs]).toEqual([[], 500]);
});

it('several waits at once are recorded as one', async () => {
  const { told, waits, limit } = taskRun();
  const { turns, waiting } = heldTurns();
  const mine = waits.turnsWithin(limit, turns);
  const first = mine.acquire(of, 1, signal);
  vi.advanceTimersByTime(2_000);
  const second = mine.acquire(of, 1, signal);
  waiting[0]?.();
  await first;
  vi.advanceTimersByTime(3_000);
  waiting[1]?.();
  await second;
  expect(told.map(({ type }) => type)).toEqual(['wait-started', 'wait-ended']);
  expect(told[1]).toMatchObject({ durationMs: 5_000 });
});

it('waiting for a slot ends when everything is stopped', async () => {
  const { told, waits, limit, stop } = taskRun();
  const enter = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const slot = waits.slotWithin(limit, { enter });
  vi.advanceTimersByTime(1_000);
  stop.abort();
  expect(await slot).toBeUndefined();
  expect(told).toMatchObject([
    { type: 'wait-started', for: 'agent' },
    { type: 'wait-ended', for: 'agent', durationMs: 1_000 },
  ]);
});

it('waiting for a slot rejects for other errors', async () => {
  const { waits, limit } = taskRun();
  const enter = () => Promise.reject(new Error('lost'));
  await expect(waits.slotWithin(limit, { enter })).rejects.toThrow('lost');
});
