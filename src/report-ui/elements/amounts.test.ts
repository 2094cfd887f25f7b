import { describe, expect, it } from 'vitest';
import {
  formatCost,
  formatDuration,
  formatMoment,
  formatPercent,
  formatPlural,
  formatShortCount,
} from './amounts.js';

describe('formatDuration', () => {
  it.each([
    [null, '–'],
    [0, '0 ms'],
    [0.4, '< 1 ms'],
    [850.4, '850 ms'],
    [999.6, '1.00 s'],
    [9_994, '9.99 s'],
    [12_500, '12.5 s'],
    [59_960, '1 m'],
    [200_000, '3 m 20 s'],
    [3_599_600, '1 h'],
    [7_500_000, '2 h 5 m'],
  ])('formats a duration of %j milliseconds as %j', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

describe('formatShortCount', () => {
  it.each([
    [null, '–'],
    [0, '0'],
    [999, '999'],
    [13_512, '13.5k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [2_500_000_000, '2.5G'],
  ])('formats the count %j as %j', (value, text) => {
    expect(formatShortCount(value)).toBe(text);
  });
});

describe('formatPercent', () => {
  it.each([
    [null, '–'],
    [0, '0%'],
    [0.0001, '0.1%'],
    [0.8333, '83.3%'],
    [0.5, '50.0%'],
    [0.9999, '99.9%'],
    [1, '100%'],
  ])('formats the share %j as %j: never as all or nothing where it is not', (share, text) => {
    expect(formatPercent(share)).toBe(text);
  });
});

describe('formatCost', () => {
  it.each([
    [null, '–'],
    [0, '$0.00'],
    [0.0123, '$0.0123'],
    [0.1, '$0.1000'],
    [1.5, '$1.50'],
  ])('formats %j dollars as %j', (dollars, text) => {
    expect(formatCost(dollars)).toBe(text);
  });
});

describe('formatPlural', () => {
  it('formats one and many with the right noun', () => {
    expect([formatPlural(1, 'task run'), formatPlural(1200, 'task run')]).toEqual([
      '1 task run',
      '1,200 task runs',
    ]);
  });
});

describe('formatMoment', () => {
  it('formats a missing or invalid time as unknown', () => {
    expect([formatMoment(null), formatMoment('yesterday')]).toEqual(['–', '–']);
  });
});
