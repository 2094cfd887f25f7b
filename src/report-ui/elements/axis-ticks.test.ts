import { describe, expect, it } from 'vitest';
import { findAxisTicks, findTimeTicks, formatTimeTick } from './axis-ticks.js';

describe('findAxisTicks', () => {
  it('a linear axis has round numbers at their positions', () => {
    expect(findAxisTicks({ edges: [500, 4500], scale: 'linear' }, 'count')).toEqual([
      { value: 1000, share: 0.125 },
      { value: 2000, share: 0.375 },
      { value: 3000, share: 0.625 },
      { value: 4000, share: 0.875 },
    ]);
  });

  it('an axis of times has steps as on a clock', () => {
    const values = (low: number, high: number, scale: 'linear' | 'log') =>
      findAxisTicks({ edges: [low, high], scale }, 'milliseconds').map(({ value }) => value / 1000);
    expect(values(0, 120_000, 'linear')).toEqual([0, 30, 60, 90, 120]);
    expect(values(4000, 300_000, 'log')).toEqual([5, 20, 60, 300]);
  });

  it('an axis has few ticks for any range', () => {
    for (const high of [3, 700, 1e6, 1e15]) {
      for (const scale of ['linear', 'log'] as const) {
        const ticks = findAxisTicks({ edges: [1, high], scale }, 'count');
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.every(({ share }) => share > -1e-9 && share < 1 + 1e-9)).toBe(true);
      }
    }
  });
});

describe('findTimeTicks', () => {
  it('a short timeline has ticks at round milliseconds', () => {
    expect(findTimeTicks(0, 343, 4)).toEqual([0, 100, 200, 300]);
    expect(findTimeTicks(0, 0.4, 4)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  });

  it('a long timeline has ticks at round seconds, minutes and hours', () => {
    expect(findTimeTicks(0, 65_000, 5)).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
    expect(findTimeTicks(0, 9 * 60_000, 5)).toEqual([0, 120_000, 240_000, 360_000, 480_000]);
    expect(findTimeTicks(0, 500 * 3_600_000, 5)).toHaveLength(6);
  });

  it('the first tick of a part of the timeline is its first round time', () => {
    expect(findTimeTicks(217, 431, 5)).toEqual([250, 300, 350, 400]);
  });

  it('a timeline without length has one tick', () => {
    expect(findTimeTicks(0, 0, 5)).toEqual([0]);
    expect(findTimeTicks(7, Number.NaN, 5)).toEqual([7]);
  });

  it('a timeline has at most one more tick than asked for', () => {
    for (let to = 0.001; to < 1e12; to *= 1.7) {
      expect(findTimeTicks(0, to, 6).length).toBeLessThanOrEqual(7);
    }
  });
});

describe('formatTimeTick', () => {
  it('formats a round time in few characters', () => {
    expect(
      [0, 0.5, 250, 1000, 1500, 30_000, 120_000, 90_000, 7_200_000].map(formatTimeTick),
    ).toEqual(['0', '0.5 ms', '250 ms', '1 s', '1.5 s', '30 s', '2 m', '1 m 30 s', '2 h']);
  });
});
