import { describe, expect, it } from 'vitest';
import { rangeOfRows } from './visible-range.js';

const seen = (from: number, to: number) => ({ top: 0, seenFrom: from, seenTo: to });

describe('rangeOfRows', () => {
  it('has the rows that are seen, and some more at each end', () => {
    expect(rangeOfRows(1000, 10, seen(500, 600), 2)).toEqual({ start: 48, end: 62 });
  });

  it('stays within the list', () => {
    expect(rangeOfRows(5, 10, seen(0, 600), 2)).toEqual({ start: 0, end: 5 });
    expect(rangeOfRows(0, 10, seen(0, 600), 2)).toEqual({ start: 0, end: 0 });
  });

  it('has some rows of a list that is above or below what is seen', () => {
    expect(rangeOfRows(1000, 10, seen(-900, -100), 6)).toEqual({ start: 0, end: 6 });
    expect(rangeOfRows(1000, 10, seen(20_000, 21_000), 6)).toEqual({ start: 994, end: 1000 });
  });
});
