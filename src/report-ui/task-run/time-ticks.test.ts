import { describe, expect, it } from 'vitest';
import { tickText, timeTicks } from './time-ticks.js';

describe('timeTicks', () => {
  it('counts in round milliseconds', () => {
    expect(timeTicks(0, 343, 4)).toEqual([0, 100, 200, 300]);
    expect(timeTicks(0, 0.4, 4)).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
  });

  it('counts in what people count seconds, minutes and hours in', () => {
    expect(timeTicks(0, 65_000, 5)).toEqual([0, 15_000, 30_000, 45_000, 60_000]);
    expect(timeTicks(0, 9 * 60_000, 5)).toEqual([0, 120_000, 240_000, 360_000, 480_000]);
    expect(timeTicks(0, 500 * 3_600_000, 5)).toHaveLength(6);
  });

  it('begins with the first round time of a part', () => {
    expect(timeTicks(217, 431, 5)).toEqual([250, 300, 350, 400]);
  });

  it('has one tick where nothing took any time', () => {
    expect(timeTicks(0, 0, 5)).toEqual([0]);
    expect(timeTicks(7, Number.NaN, 5)).toEqual([7]);
  });

  it('has never many more ticks than asked for', () => {
    for (let to = 0.001; to < 1e12; to *= 1.7) {
      expect(timeTicks(0, to, 6).length).toBeLessThanOrEqual(7);
    }
  });
});

describe('tickText', () => {
  it('says a round time as short as it can', () => {
    expect([0, 0.5, 250, 1000, 1500, 30_000, 120_000, 90_000, 7_200_000].map(tickText)).toEqual([
      '0',
      '0.5 ms',
      '250 ms',
      '1 s',
      '1.5 s',
      '30 s',
      '2 m',
      '1 m 30 s',
      '2 h',
    ]);
  });
});
