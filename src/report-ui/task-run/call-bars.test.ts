import { describe, expect, it } from 'vitest';
import { callRecord } from '../../testing/task-run-records.js';
import { callBars, isNamedBefore } from './call-bars.js';
import type { TimelineCall } from './timeline.js';

function call(number: number, start: number, end: number): TimelineCall {
  return { call: callRecord({ call: number }), start, end };
}

const whole = { start: 0, end: 1000 };

describe('callBars', () => {
  it('gives few calls a line each, in the order in which they began', () => {
    const { bars, lanes, named } = callBars(
      [call(1, 0, 10), call(2, 50, 60), call(3, 500, 510)],
      whole,
    );
    expect(named).toBe(true);
    expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 2]);
    expect(lanes).toBe(3);
  });

  it('leaves the names out where they would need too many lanes', () => {
    const calls = Array.from({ length: 20 }, (_, place) =>
      call(place + 1, place * 10, place * 10 + 9),
    );
    const { bars, lanes, named } = callBars(calls, whole);
    expect([bars.length, lanes, named]).toEqual([20, 1, false]);
  });

  it('draws any number of short calls as few bars, and loses none', () => {
    const calls = Array.from({ length: 5000 }, (_, place) =>
      call(place + 1, place / 5, place / 5 + 0.1),
    );
    const { bars } = callBars(calls, whole);
    expect(bars.length).toBeLessThanOrEqual(251);
    expect(bars.flatMap((bar) => bar.calls.map((each) => each.call))).toEqual(
      calls.map((each) => each.call.call),
    );
  });

  it('never needs more than twenty lanes', () => {
    const calls = Array.from({ length: 100 }, (_, place) => call(place + 1, 0, 1000));
    expect(callBars(calls, whole).lanes).toBe(20);
  });

  it('has only what reaches into the part that is shown', () => {
    const { bars } = callBars([call(1, 0, 10), call(2, 90, 110), call(3, 300, 301)], {
      start: 100,
      end: 200,
    });
    expect(bars.map(({ calls: [first] }) => first.call)).toEqual([2]);
  });
});

describe('isNamedBefore', () => {
  it('turns a name round where the part ends', () => {
    expect(isNamedBefore({ start: 0, end: 500 }, whole)).toBe(false);
    expect(isNamedBefore({ start: 900, end: 950 }, whole)).toBe(true);
  });
});
