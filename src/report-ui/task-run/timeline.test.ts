import { describe, expect, it } from 'vitest';
import { callRecord, taskRunRecord } from '../../../testing/task-run-records.js';
import type { StepRecord } from '../../results/task-run-record.js';
import { makeTimeline, overlaps } from './timeline.js';

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

describe('makeTimeline', () => {
  it('a timeline has phases and their steps one after the other', () => {
    const timeline = makeTimeline(
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

  it('a timeline has the phase of the agent where its calls are', () => {
    const calls = [callRecord({ startedAt: at(100), durationMs: 550 })];
    const timeline = makeTimeline(taskRunRecord({ calls }));
    expect(spans(timeline?.phases)).toEqual([[150, 650]]);
    expect(spans(timeline?.calls)).toEqual([[100, 650]]);
  });

  it('a phase that never ended lasts until the end of the timeline', () => {
    const agent = { outcome: null, durationMs: null, steps: [] };
    const timeline = makeTimeline(
      taskRunRecord({ phases: { setup: null, agent, verify: null, cleanup: null } }),
    );
    expect(spans(timeline?.phases)).toEqual([[0, 1000]]);
  });

  it('nothing on a timeline is beyond its end', () => {
    const calls = [callRecord({ startedAt: at(900), durationMs: 300 })];
    expect(makeTimeline(taskRunRecord({ calls }))?.end).toBe(1200);
  });

  it.for([
    ['the start of the task run', { startedAt: null }],
    ['the duration of the task run', { durationMs: null }],
    ['the start of a call', { calls: [callRecord({ startedAt: null })] }],
    ['the duration of a call', { calls: [callRecord(), callRecord({ durationMs: null })] }],
    ['a time that can be read', { startedAt: 'yesterday' }],
  ] as const)('there is no timeline where the results lack %s', ([, more]) => {
    const { calls = [], ...others } = { calls: undefined, ...more };
    expect(makeTimeline(taskRunRecord({ ...others, calls: [...calls] }))).toBeNull();
  });
});

describe('overlaps', () => {
  const part = { start: 10, end: 20 };
  const isIn = (start: number, end: number) => overlaps({ start, end }, part);

  it('spans that only touch do not overlap', () => {
    expect([isIn(5, 11), isIn(12, 13), isIn(19, 30), isIn(0, 99)]).not.toContain(false);
    expect([isIn(0, 10), isIn(20, 30)]).not.toContain(true);
  });

  it('a span without length overlaps the part it lies in', () => {
    expect([isIn(10, 10), isIn(20, 20), isIn(21, 21)]).toEqual([true, true, false]);
  });
});
