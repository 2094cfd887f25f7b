import { describe, expect, it } from 'vitest';
import { axisTicks } from './axis-ticks.js';

describe('axisTicks', () => {
  it('has round numbers on an even axis, where they belong', () => {
    expect(axisTicks({ edges: [500, 4500], scale: 'linear' }, 'count')).toEqual([
      { value: 1000, share: 0.125 },
      { value: 2000, share: 0.375 },
      { value: 3000, share: 0.625 },
      { value: 4000, share: 0.875 },
    ]);
  });

  it('has times as clocks have them', () => {
    const values = (low: number, high: number, scale: 'linear' | 'log') =>
      axisTicks({ edges: [low, high], scale }, 'milliseconds').map(({ value }) => value / 1000);
    expect(values(0, 120_000, 'linear')).toEqual([0, 30, 60, 90, 120]);
    expect(values(4000, 300_000, 'log')).toEqual([5, 20, 60, 300]);
  });

  it('has few of them, whatever the range', () => {
    for (const high of [3, 700, 1e6, 1e15]) {
      for (const scale of ['linear', 'log'] as const) {
        const ticks = axisTicks({ edges: [1, high], scale }, 'count');
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.every(({ share }) => share > -1e-9 && share < 1 + 1e-9)).toBe(true);
      }
    }
  });
});
