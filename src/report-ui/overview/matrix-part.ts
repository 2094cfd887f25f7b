import type { Seen } from '../elements/use-seen.js';
import { type Range, rangeOfRows } from '../elements/visible-range.js';

interface MatrixSize {
  rows: number;
  columns: number;
}

/** In pixels. */
interface MatrixMeasures {
  rowHeight: number;
  /** Of what stands before the cells. */
  headWidth: number;
  cellWidth: number;
}

/** So few cells are all there: the browser's own search finds every task. */
const alwaysThere = 800;
/** More of them, and a browser freezes over the pages. */
const mostPrintedCells = 4000;
const mostPrintedColumns = 400;

/** Of which rows and columns the cells exist. */
export function shownPart(
  { rows, columns }: MatrixSize,
  { rowHeight, headWidth, cellWidth }: MatrixMeasures,
  seen: Seen,
): { rows: Range; columns: Range } {
  if (rows * columns <= alwaysThere) {
    return { rows: { start: 0, end: rows }, columns: { start: 0, end: columns } };
  }
  const seenRows = { top: 0, seenFrom: seen.top, seenTo: seen.bottom };
  const seenColumns = { top: headWidth, seenFrom: seen.left, seenTo: seen.right };
  return {
    rows: rangeOfRows(rows, rowHeight, seenRows, 2),
    columns: rangeOfRows(columns, cellWidth, seenColumns, 4),
  };
}

/** How much of it there is on paper. */
export function printedPart({ rows, columns }: MatrixSize): MatrixSize {
  if (rows * columns <= alwaysThere) return { rows, columns };
  const printedColumns = Math.min(columns, mostPrintedColumns);
  const fitting = Math.floor(mostPrintedCells / Math.max(printedColumns, 1));
  return { rows: Math.min(rows, Math.max(fitting, 10), 300), columns: printedColumns };
}
