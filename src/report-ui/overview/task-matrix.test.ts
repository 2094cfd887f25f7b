import { describe, expect, it } from 'vitest';
import { findNearestColumn, findNextCell } from './task-matrix.js';

const cells = [
  [1, undefined, 2],
  [undefined, 3],
  [4, 5, 6, 7],
];

describe('findNextCell of the matrix of tasks', () => {
  it.each([
    ['ArrowRight', [0, 0], [0, 2]],
    ['ArrowRight', [0, 2], [0, 2]],
    ['ArrowLeft', [0, 2], [0, 0]],
    ['ArrowLeft', [1, 1], [1, 1]],
    ['ArrowDown', [0, 0], [1, 1]],
    ['ArrowDown', [2, 3], [2, 3]],
    ['ArrowUp', [2, 3], [1, 1]],
    ['ArrowUp', [0, 0], [0, 0]],
    ['PageDown', [0, 2], [2, 2]],
    ['PageUp', [2, 3], [0, 2]],
    ['Home', [0, 2], [0, 0]],
    ['End', [2, 0], [2, 3]],
  ])(
    '%s moves the focus from cell %j to %j',
    (key, [row = 0, column = 0], [toRow = 0, toColumn = 0]) => {
      const next = findNextCell(cells, { row, column }, key, 2);
      expect(next).toEqual({ row: toRow, column: toColumn });
    },
  );

  it('keys that do not belong to the grid are ignored', () => {
    expect(findNextCell(cells, { row: 0, column: 0 }, 'Tab', 2)).toBeUndefined();
  });
});

describe('findNearestColumn of the matrix of tasks', () => {
  it('finds the nearest column that is not empty, on either side', () => {
    expect(findNearestColumn([undefined, 'x'], 5)).toBe(1);
    expect(findNearestColumn([undefined, undefined, 'x'], 0)).toBe(2);
    expect(findNearestColumn([], 3)).toBe(3);
  });
});
