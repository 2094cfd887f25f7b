import { describe, expect, it } from 'vitest';
import type { StepRecord } from '../../results/task-run-record.js';
import { callRecord, taskRunRecord } from '../../testing/task-run-records.js';
import { reachesInto, timelineOf } from './timeline.js';

function step(number: number, durationMs: number | null): StepRecord {
  return {
    seq: number,
    step: number,
    kind: 'script',
    at: null,
    passed: true,
    outcome: 'passed',
    outputs: {},
    durationMs,
  };
}

const passed = { outcome: 'passed' as const };
const at = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds).toISOString();
const spans = (list: readonly { start: number; end: number }[] = []) =>
  list.map(({ start, end }) => [start, end]);

describe('timelineOf', () => {
  it('puts phases and their steps one after the other', () => {
    const timeline = timelineOf(
      taskRunRecord({
        durationMs: 400,
        phases: {
          setup: { ...passed, durationMs: 100, steps: [step(1, 60), step(2, 30)] },
          agent: { ...passed, durationMs: 200, steps: [] },
          verify: { ...passed, durationMs: 50, steps: [step(1, null)] },
          cleanup: null,
        },
      }),
    );
    expect(timeline?.phases.map(({ name }) => name)).toEqual(['setup', 'agent', 'verify']);
    expect(spans(timeline?.phases)).toEqual([
      [0, 100],
      [100, 300],
      [300, 350],
    ]);
    expect(spans(timeline?.phases[0]?.steps)).toEqual([
      [0, 60],
      [60, 90],
    ]);
    expect(spans(timeline?.phases[2]?.steps)).toEqual([[300, 300]]);
    expect(timeline?.end).toBe(400);
  });

  it('moves the phase of the agent to where its calls are', () => {
    const calls = [callRecord({ startedAt: at(100), durationMs: 550 })];
    const timeline = timelineOf(taskRunRecord({ calls }));
    expect(spans(timeline?.phases)).toEqual([[150, 650]]);
    expect(spans(timeline?.calls)).toEqual([[100, 650]]);
  });

  it('draws a phase that never ended to the end', () => {
    const agent = { outcome: null, durationMs: null, steps: [] };
    const timeline = timelineOf(
      taskRunRecord({ phases: { setup: null, agent, verify: null, cleanup: null } }),
    );
    expect(spans(timeline?.phases)).toEqual([[0, 1000]]);
  });

  it('never lets anything stick out at its end', () => {
    const calls = [callRecord({ startedAt: at(900), durationMs: 300 })];
    expect(timelineOf(taskRunRecord({ calls }))?.end).toBe(1200);
  });

  it.for([
    ['when it began', { startedAt: null }],
    ['how long it took', { durationMs: null }],
    ['when a call began', { calls: [callRecord({ startedAt: null })] }],
    ['how long a call took', { calls: [callRecord(), callRecord({ durationMs: null })] }],
    ['a time that can be read', { startedAt: 'yesterday' }],
  ] as const)('is none where the results do not tell %s', ([, more]) => {
    const { calls = [], ...others } = { calls: undefined, ...more };
    expect(timelineOf(taskRunRecord({ ...others, calls: [...calls] }))).toBeNull();
  });
});

describe('reachesInto', () => {
  const part = { start: 10, end: 20 };
  const isIn = (start: number, end: number) => reachesInto({ start, end }, part);

  it('takes what overlaps, and not what only touches', () => {
    expect([isIn(5, 11), isIn(12, 13), isIn(19, 30), isIn(0, 99)]).not.toContain(false);
    expect([isIn(0, 10), isIn(20, 30)]).not.toContain(true);
  });

  it('takes what took no time where it happened', () => {
    expect([isIn(10, 10), isIn(20, 20), isIn(21, 21)]).toEqual([true, true, false]);
  });
});
