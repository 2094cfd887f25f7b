import { describe, expect, it } from 'vitest';
import { callRecord } from '../../../testing/task-run-records.js';
import { type Event, shownEntries } from './shown-entries.js';

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
    expect(shownEntries(events, 10)).toEqual(events);
  });

  it('leave out the middle of many, but no phase', () => {
    const events = [phase('agent'), ...calls, phase('verify')];
    expect(shownEntries(events, 6)).toEqual([
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
    expect(shownEntries(calls, 1)).toEqual([{ kind: 'left-out', events: 9, errors: 1 }, call(10)]);
  });
});
