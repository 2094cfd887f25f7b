import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callRecord, taskRunRecord } from '../../../testing/task-run-records.js';
import type { StepRecord } from '../../results/task-run-record.js';
import {
  assignLanes,
  isNamedBefore,
  layOutCalls,
  makeTimeline,
  overlaps,
  type Span,
  type TimelineCall,
} from './timeline.js';

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

function call(number: number, start: number, end: number): TimelineCall {
  return { call: callRecord({ call: number }), start, end };
}

const whole = { start: 0, end: 1000 };

describe('layOutCalls', () => {
  it('few calls have a lane each, in the order in which they began', () => {
    const { bars, lanes, named } = layOutCalls(
      [call(1, 0, 10), call(2, 50, 60), call(3, 500, 510)],
      whole,
    );
    expect(named).toBe(true);
    expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 2]);
    expect(lanes).toBe(3);
  });

  it('names of calls are left out where they would need too many lanes', () => {
    const calls = Array.from({ length: 20 }, (_, place) =>
      call(place + 1, place * 10, place * 10 + 9),
    );
    const { bars, lanes, named } = layOutCalls(calls, whole);
    expect([bars.length, lanes, named]).toEqual([20, 1, false]);
  });

  it('any number of short calls are few bars that contain all of them', () => {
    const calls = Array.from({ length: 5000 }, (_, place) =>
      call(place + 1, place / 5, place / 5 + 0.1),
    );
    const { bars } = layOutCalls(calls, whole);
    expect(bars.length).toBeLessThanOrEqual(251);
    expect(bars.flatMap((bar) => bar.calls.map(({ call }) => call))).toEqual(
      calls.map(({ call }) => call.call),
    );
  });

  it('calls never need more than twenty lanes', () => {
    const calls = Array.from({ length: 100 }, (_, place) => call(place + 1, 0, 1000));
    expect(layOutCalls(calls, whole).lanes).toBe(20);
  });

  it('only calls of the shown part of the time are drawn', () => {
    const { bars } = layOutCalls([call(1, 0, 10), call(2, 90, 110), call(3, 300, 301)], {
      start: 100,
      end: 200,
    });
    expect(bars.map(({ calls: [first] }) => first.call)).toEqual([2]);
  });
});

describe('isNamedBefore', () => {
  it('a name is before its bar at the end of the shown part', () => {
    expect(isNamedBefore({ start: 0, end: 500 }, whole)).toBe(false);
    expect(isNamedBefore({ start: 900, end: 950 }, whole)).toBe(true);
  });
});

describe('assignLanes', () => {
  it('spans that follow each other share a lane', () => {
    expect(
      assignLanes([
        { start: 0, end: 5 },
        { start: 5, end: 6 },
        { start: 9, end: 9 },
      ]),
    ).toEqual([0, 0, 0]);
  });

  it('an overlapping span gets a new lane, the next one the first free lane', () => {
    expect(
      assignLanes([
        { start: 0, end: 5 },
        { start: 1, end: 9 },
        { start: 6, end: 7 },
      ]),
    ).toEqual([0, 1, 0]);
  });

  it('spans on a lane never overlap, in any order of input', () => {
    const span = fc
      .tuple(fc.nat(100), fc.integer({ min: 1, max: 30 }))
      .map(([start, length]): Span => ({ start, end: start + length }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 40 }), (spans) => {
        const lanes = assignLanes(spans);
        for (const [one, left] of spans.entries()) {
          for (const [other, right] of spans.entries()) {
            if (one >= other || lanes[one] !== lanes[other]) continue;
            expect(left.end <= right.start || right.end <= left.start).toBe(true);
          }
        }
      }),
    );
  });
});
