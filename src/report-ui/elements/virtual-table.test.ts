import { describe, expect, it } from 'vitest';
import { findRange } from './virtual-table.js';

const axis = (count: number, overscan: number, offset = 0) => ({
  count,
  size: 10,
  overscan,
  offset,
});

describe('findRange of a virtual table', () => {
  it('renders the visible rows and the overscan at each end', () => {
    expect(findRange(axis(1000, 2), 500, 600)).toEqual({ start: 48, end: 62 });
    expect(findRange(axis(1000, 2, 100), 500, 600)).toEqual({ start: 38, end: 52 });
  });

  it('renders no row beyond the table', () => {
    expect(findRange(axis(5, 2), 0, 600)).toEqual({ start: 0, end: 5 });
    expect(findRange(axis(0, 2), 0, 600)).toEqual({ start: 0, end: 0 });
  });

  it('renders some rows of a table that is above or below the window', () => {
    expect(findRange(axis(1000, 6), -900, -100)).toEqual({ start: 0, end: 6 });
    expect(findRange(axis(1000, 6), 20_000, 21_000)).toEqual({ start: 994, end: 1000 });
  });
});
