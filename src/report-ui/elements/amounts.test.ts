import { describe, expect, it } from 'vitest';
import { costText, counted, durationText, momentText, percentText, shortCount } from './amounts.js';

describe('durationText', () => {
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
  ])('writes %j milliseconds as %j', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});

describe('shortCount', () => {
  it.each([
    [null, '–'],
    [0, '0'],
    [999, '999'],
    [13_512, '13.5k'],
    [999_949, '999.9k'],
    [999_950, '1.0M'],
    [2_500_000_000, '2.5G'],
  ])('writes %j as %j', (value, text) => {
    expect(shortCount(value)).toBe(text);
  });
});

describe('percentText', () => {
  it.each([
    [null, '–'],
    [0, '0%'],
    [0.0001, '0.1%'],
    [0.8333, '83.3%'],
    [0.5, '50.0%'],
    [0.9999, '99.9%'],
    [1, '100%'],
  ])('writes %j as %j: never as all or nothing what is not', (share, text) => {
    expect(percentText(share)).toBe(text);
  });
});

describe('costText', () => {
  it.each([
    [null, '–'],
    [0, '$0.00'],
    [0.0123, '$0.0123'],
    [0.1, '$0.1000'],
    [1.5, '$1.50'],
  ])('writes %j as %j', (dollars, text) => {
    expect(costText(dollars)).toBe(text);
  });
});

describe('counted', () => {
  it('knows one and many', () => {
    expect([counted(1, 'task run'), counted(1200, 'task run')]).toEqual([
      '1 task run',
      '1,200 task runs',
    ]);
  });
});

describe('momentText', () => {
  it('does not invent a time', () => {
    expect([momentText(null), momentText('yesterday')]).toEqual(['–', '–']);
  });
});
