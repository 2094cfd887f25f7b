import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { numbered, runStarted } from '../../../testing/check-events.js';
import { resultsOf, taskRunRecord } from '../../../testing/task-run-records.js';
import type { FinishedRun, Reporter } from '../../reporters/reporter.js';
import { RunningReporter, stopReadingOnAbort } from './running-reporter.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const check: FinishedRun = {
  end: 'finished',
  exitCode: 0,
  results: resultsOf([]),
  resultsPath: '/out.json',
  journalPath: '/out.jsonl',
};
const [event] = numbered([runStarted]);

function running(reporter: Reporter, isTimed = true) {
  const told: string[] = [];
  const output = {
    write: async () => {},
    finish: async () => void told.push('finished'),
    discard: async () => void told.push('discarded'),
  };
  const onFailure = (message: string) => void told.push(message);
  return {
    told,
    running: new RunningReporter({ name: 'mine', reporter, output, isTimed, onFailure }),
  };
}

const never = new AbortController().signal;

describe('RunningReporter', () => {
  it('waits a minute for the end, and no longer', async () => {
    const { told, running: mine } = running({ onEnd: () => new Promise(() => {}) });
    const end = mine.finish(check, never);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(told).toEqual(['reporter mine: it did not end within 60 seconds', 'discarded']);
    expect(mine.isStuck).toBe(true);
  });

  it('waits for one of ours as long as somebody takes to read it, or until the end', async () => {
    const { told, running: ours } = running({ onEnd: () => new Promise(() => {}) }, false);
    const givenUp = new AbortController();
    const end = ours.finish(check, givenUp.signal);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(told).toEqual([]);
    givenUp.abort();
    await vi.advanceTimersByTimeAsync(1000);
    await end;
    expect(told[0]).toBe('reporter mine: it was still at work when the check was stopped');
  });

  it('gives one of ours a moment to take back what is half written', async () => {
    const givenUp = new AbortController();
    let isTakenBack = false;
    const onEnd = () =>
      new Promise<void>((resolve) => {
        givenUp.signal.addEventListener('abort', () =>
          setTimeout(() => {
            isTakenBack = true;
            resolve();
          }, 500),
        );
      });
    const { running: ours } = running({ onEnd }, false);
    const end = ours.finish(check, givenUp.signal);
    await vi.advanceTimersByTimeAsync(0);
    givenUp.abort();
    await vi.advanceTimersByTimeAsync(500);
    await end;
    expect(isTakenBack).toBe(true);
  });

  it('counts the events that still wait as part of the end', async () => {
    const { told, running: mine } = running({ onEvent: () => new Promise(() => {}) });
    if (event) mine.onEvent(event);
    const end = mine.finish(check, never);
    await vi.advanceTimersByTimeAsync(60_000);
    await end;
    expect(told[0]).toBe('reporter mine: it did not end within 60 seconds');
  });

  it('tells of one failure, and asks no more', async () => {
    const onEnd = vi.fn();
    const onEvent = vi.fn(() => Promise.reject(new Error('first\nsecond')));
    const { told, running: mine } = running({ onEvent, onEnd });
    if (event) mine.onEvent(event);
    await vi.advanceTimersByTimeAsync(0);
    if (event) mine.onEvent(event);
    await mine.finish(check, never);
    expect(told).toEqual(['reporter mine: first', 'discarded']);
    expect(onEvent).toHaveBeenCalledTimes(1);
    expect(onEnd).not.toHaveBeenCalled();
  });

  it('hands over events one after the other', async () => {
    const seen: string[] = [];
    const { told, running: mine } = running({
      async onEvent({ seq }) {
        seen.push(`begin ${seq}`);
        await Promise.resolve();
        seen.push(`end ${seq}`);
      },
    });
    for (const each of numbered([runStarted, runStarted])) mine.onEvent(each);
    await mine.finish(check, never);
    expect(seen).toEqual(['begin 1', 'end 1', 'begin 2', 'end 2']);
    expect(told).toEqual(['finished']);
  });
});

it('reading results fails after an abort', async () => {
  const givenUp = new AbortController();
  const read: number[] = [];
  const results = stopReadingOnAbort(
    resultsOf([1, 2, 3].map((run) => taskRunRecord({ run }))),
    givenUp.signal,
  );
  const reading = async () => {
    for await (const { run } of results.taskRuns()) {
      read.push(run);
      if (run === 2) givenUp.abort(new Error('stopped'));
    }
  };
  await expect(reading()).rejects.toThrow('stopped');
  expect(read).toEqual([1, 2]);
});
