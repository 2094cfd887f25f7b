import { describe, expect, it } from 'vitest';
import { findAxisTicks, findTimeTicks, formatTimeTick } from './axis-ticks.js';

describe('findAxisTicks', () => {
  it('has round numbers on an even axis, where they belong', () => {
    expect(findAxisTicks({ edges: [500, 4500], scale: 'linear' }, 'count')).toEqual([
      { value: 1000, share: 0.125 },
      { value: 2000, share: 0.375 },
      { value: 3000, share: 0.625 },
      { value: 4000, share: 0.875 },
    ]);
  });

  it('has times as clocks have them', () => {
    const values = (low: number, high: number, scale: 'linear' | 'log') =>
      findAxisTicks({ edges: [low, high], scale }, 'milliseconds').map(({ value }) => value / 1000);
    expect(values(0, 120_000, 'linear')).toEqual([0, 30, 60, 90, 120]);
    expect(values(4000, 300_000, 'log')).toEqual([5, 20, 60, 300]);
  });

  it('has few of them, whatever the range', () => {
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
  it('counts in round milliseconds', () => {
    expect(findTimeTicks(0, 343, 4)).toEqual([0, 100, 200, 300]);
    expect(findTimeTicks(0, 0.4, 4)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  });

  it('counts in what people count seconds, minutes and hours in', () => {
    expect(findTimeTicks(0, 65_000, 5)).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
    expect(findTimeTicks(0, 9 * 60_000, 5)).toEqual([0, 120_000, 240_000, 360_000, 480_000]);
    expect(findTimeTicks(0, 500 * 3_600_000, 5)).toHaveLength(6);
  });

  it('begins with the first round time of a part', () => {
    expect(findTimeTicks(217, 431, 5)).toEqual([250, 300, 350, 400]);
  });

  it('has one tick where nothing took any time', () => {
    expect(findTimeTicks(0, 0, 5)).toEqual([0]);
    expect(findTimeTicks(7, Number.NaN, 5)).toEqual([7]);
  });

  it('has never many more ticks than asked for', () => {
    for (let to = 0.001; to < 1e12; to *= 1.7) {
      expect(findTimeTicks(0, to, 6).length).toBeLessThanOrEqual(7);
    }
  });
});

describe('formatTimeTick', () => {
  it('says a round time as short as it can', () => {
    expect(
      [0, 0.5, 250, 1000, 1500, 30_000, 120_000, 90_000, 7_200_000].map(formatTimeTick),
    ).toEqual(['0', '0.5 ms', '250 ms', '1 s', '1.5 s', '30 s', '2 m', '1 m 30 s', '2 h']);
  });
});
