import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callRecord } from '../../../testing/task-run-records.js';
import { assignLanes, isNamedBefore, layOutCalls } from './call-bars.js';
import type { Span, TimelineCall } from './timeline.js';

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
