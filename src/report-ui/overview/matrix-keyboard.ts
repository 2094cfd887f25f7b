import { focusWhenRendered } from '../shell/keyboard.js';

export interface CellPlace {
  row: number;
  column: number;
}

/** By row, what is in each column; undefined: an empty cell. Every row has a cell that is not. */
type Cells = readonly (readonly unknown[])[];

/**
 * Moves the focus from cell to cell of a grid by arrows, Home, End, PageUp and PageDown. Cells have
 * `data-cell`, as `row/column`. `box` is the element that scrolls: a cell to go to may not be rendered yet.
 */
export function moveInMatrix(
  event: KeyboardEvent,
  box: HTMLElement | null,
  { cells, cellWidth, rowHeight }: { cells: Cells; cellWidth: number; rowHeight: number },
): void {
  const active = document.activeElement?.getAttribute('data-cell')?.split('/').map(Number);
  if (!box || !active || event.ctrlKey || event.metaKey || event.altKey) return;
  const [row = 0, column = 0] = active;
  const rowsOfPage = Math.max(Math.floor(box.clientHeight / rowHeight) - 2, 1);
  const next = findNextCell(cells, { row, column }, event.key, rowsOfPage);
  if (!next) return;
  event.preventDefault();
  const selector = `[data-cell="${next.row}/${next.column}"]`;
  if (!box.querySelector(selector)) box.scrollTo(next.column * cellWidth, next.row * rowHeight);
  focusWhenRendered(() => box.querySelector<HTMLElement>(selector));
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
