import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Range } from '../elements/virtual-table.js';

export interface CellPlace {
  row: number;
  column: number;
}

/** By row, what is in each column; undefined: an empty cell. Every row has a cell that is not. */
type Cells = readonly (readonly unknown[])[];

interface MatrixKeyboardOptions {
  /** The element that scrolls. */
  box: RefObject<HTMLElement | null>;
  cells: Cells;
  rendered: { rows: Range; columns: Range };
  cellWidth: number;
  rowHeight: number;
}

/**
 * Moves the focus from cell to cell of a grid by arrows, Home, End, PageUp and PageDown. One cell
 * is the stop of the tab key. A cell to go to may not be rendered yet: the grid is scrolled to it,
 * and it takes the focus once it is there.
 */
export function useMatrixKeyboard(options: MatrixKeyboardOptions) {
  const { box, cells, rendered, cellWidth, rowHeight } = options;
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const shouldFocus = useRef(false);
  const tabStop = findTabStop(cells, active, rendered.rows);

  useLayoutEffect(() => {
    if (!shouldFocus.current) return;
    const cell = box.current?.querySelector<HTMLElement>('a[tabindex="0"]');
    if (cell?.dataset.cell !== `${active.row}/${active.column}`) return;
    shouldFocus.current = false;
    cell.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rowsOfPage = Math.max(Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2, 1);
    const next = findNextCell(cells, tabStop, event.key, rowsOfPage);
    if (!next) return;
    event.preventDefault();
    shouldFocus.current = true;
    setActive(next);
    const isRendered =
      isInRange(next.row, rendered.rows) && isInRange(next.column, rendered.columns);
    if (!isRendered) box.current?.scrollTo(next.column * cellWidth, next.row * rowHeight);
  };

  return { tabStop, setActive, onKeyDown };
}

/** The cell that a key leads to; undefined: it is no key of the grid. */
export function findNextCell(
  cells: Cells,
  from: CellPlace,
  key: string,
  rowsOfPage: number,
): CellPlace | undefined {
  const toRow = (row: number) => {
    const bounded = Math.min(Math.max(row, 0), cells.length - 1);
    return { row: bounded, column: findNearestColumn(cells[bounded] ?? [], from.column) };
  };
  const line = cells[from.row] ?? [];
  const toColumn = (start: number, step: 1 | -1) => ({
    ...from,
    column: findNextColumn(line, start, step),
  });
  switch (key) {
    case 'ArrowLeft':
      return toColumn(from.column, -1);
    case 'ArrowRight':
      return toColumn(from.column, 1);
    case 'ArrowUp':
      return toRow(from.row - 1);
    case 'ArrowDown':
      return toRow(from.row + 1);
    case 'PageUp':
      return toRow(from.row - rowsOfPage);
    case 'PageDown':
      return toRow(from.row + rowsOfPage);
    case 'Home':
      return toColumn(-1, 1);
    case 'End':
      return toColumn(line.length, -1);
    default:
      return undefined;
  }
}

/** Filters may have removed the active cell, and scrolling its row. */
function findTabStop(cells: Cells, { row, column }: CellPlace, rendered: Range): CellPlace {
  const stopRow = isInRange(row, rendered) ? row : rendered.start;
  return { row: stopRow, column: findNearestColumn(cells[stopRow] ?? [], column) };
}

/** The column nearest to this one that is not empty. */
export function findNearestColumn(line: readonly unknown[], column: number): number {
  for (let distance = 0; distance <= line.length + column; distance++) {
    if (line[column - distance] !== undefined) return column - distance;
    if (line[column + distance] !== undefined) return column + distance;
  }
  return column;
}

/** The next column in a direction that is not empty; the same one where there is none. */
function findNextColumn(line: readonly unknown[], from: number, step: 1 | -1): number {
  for (let column = from + step; column >= 0 && column < line.length; column += step) {
    if (line[column] !== undefined) return column;
  }
  return from;
}

function isInRange(place: number, { start, end }: Range): boolean {
  return place >= start && place < end;
}
