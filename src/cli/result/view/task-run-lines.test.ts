import { describe, expect, it } from 'vitest';
import { callRecord, taskRunRecord } from '../../../../testing/task-run-records.js';
import type { TaskRunRecord } from '../../../results/task-run-record.js';
import { chooseFigures } from '../../check/live/terminal-line.js';
import { type Event, leaveOutMiddle, renderTaskRunHead } from './task-run-lines.js';

const phase = (name: 'agent' | 'verify'): Event => ({
  kind: 'phase',
  phase: name,
  startMs: null,
  durationMs: null,
  outcome: 'passed',
});
const call = (number: number): Event => {
  const isError = number === 5;
  return { kind: 'call', call: callRecord({ call: number, isError }), startMs: null };
};
const calls = Array.from({ length: 10 }, (_, index) => call(index + 1));

describe('the shown entries', () => {
  it('are all if there are few', () => {
    const events = [phase('agent'), ...calls];
    expect(leaveOutMiddle(events, 10)).toEqual(events);
  });

  it('leave out the middle of many, but no phase', () => {
    const events = [phase('agent'), ...calls, phase('verify')];
    expect(leaveOutMiddle(events, 6)).toEqual([
      phase('agent'),
      call(1),
      call(2),
      { kind: 'left-out', events: 4, errors: 1 },
      call(7),
      call(8),
      call(9),
      call(10),
      phase('verify'),
    ]);
  });

  it('may be a single one', () => {
    expect(leaveOutMiddle(calls, 1)).toEqual([
      { kind: 'left-out', events: 9, errors: 1 },
      call(10),
    ]);
  });
});

function head(more: Partial<TaskRunRecord>): string {
  const look = {
    style: (_format: unknown, text: string) => text,
    signs: chooseFigures({ LANG: 'en_GB.UTF-8' }),
    width: 80,
    maxLines: 10,
    maxEvents: 10,
    maxLineLength: undefined,
    hasTimeline: true,
  };
  return renderTaskRunHead(taskRunRecord(more), {}, look).join('\n');
}

it('says which worker did a task run', () => {
  expect(head({})).not.toContain(' on ');
  expect(head({ worker: 'gpu-1', attempt: 2 })).toMatch(/^.* attempt 2 {2}on gpu-1$/m);
});

it('says how much of the time was waiting', () => {
  expect(head({ durationMs: 20_500 })).toContain('\n  20.5 s, ');
  expect(head({ durationMs: 20_500, waitedMs: 4_200 })).toContain('\n  20.5 s (waited 4.2 s), ');
});
