import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lanesOf } from './lanes.js';
import type { Span } from './timeline.js';

describe('lanesOf', () => {
  it('keeps what follows each other on one lane', () => {
    expect(
      lanesOf([
        { start: 0, end: 5 },
        { start: 5, end: 6 },
        { start: 9, end: 9 },
      ]),
    ).toEqual([0, 0, 0]);
  });

  it('opens a lane for what overlaps, and goes back to the first one that is free', () => {
    expect(
      lanesOf([
        { start: 0, end: 5 },
        { start: 1, end: 9 },
        { start: 6, end: 7 },
      ]),
    ).toEqual([0, 1, 0]);
  });

  it('never lets two overlap on a lane, in whatever order they come', () => {
    const span = fc
      .tuple(fc.nat(100), fc.integer({ min: 1, max: 30 }))
      .map(([start, length]): Span => ({ start, end: start + length }));
    fc.assert(
      fc.property(fc.array(span, { maxLength: 40 }), (spans) => {
        const lanes = lanesOf(spans);
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
