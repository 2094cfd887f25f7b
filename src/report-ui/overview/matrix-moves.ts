export interface CellPlace {
  row: number;
  column: number;
}

/** By row, what is in each column; undefined: nothing. Every row has something. */
type Cells = readonly (readonly unknown[])[];

/** Where a key leads from a cell; undefined: it is no key of the grid. */
export function moveInMatrix(
  cells: Cells,
  from: CellPlace,
  key: string,
  rowsOfPage: number,
): CellPlace | undefined {
  const inRow = (row: number) => {
    const bounded = Math.min(Math.max(row, 0), cells.length - 1);
    return { row: bounded, column: nearest(cells[bounded] ?? [], from.column) };
  };
  const line = cells[from.row] ?? [];
  switch (key) {
    case 'ArrowLeft':
      return { ...from, column: next(line, from.column, -1) };
    case 'ArrowRight':
      return { ...from, column: next(line, from.column, 1) };
    case 'ArrowUp':
      return inRow(from.row - 1);
    case 'ArrowDown':
      return inRow(from.row + 1);
    case 'PageUp':
      return inRow(from.row - rowsOfPage);
    case 'PageDown':
      return inRow(from.row + rowsOfPage);
    case 'Home':
      return { ...from, column: next(line, -1, 1) };
    case 'End':
      return { ...from, column: next(line, line.length, -1) };
    default:
      return undefined;
  }
}

/** The column nearest to this one that has something. */
export function nearest(line: readonly unknown[], column: number): number {
  for (let distance = 0; distance <= line.length + column; distance++) {
    if (line[column - distance] !== undefined) return column - distance;
    if (line[column + distance] !== undefined) return column + distance;
  }
  return column;
}

function next(line: readonly unknown[], from: number, step: 1 | -1): number {
  for (let column = from + step; column >= 0 && column < line.length; column += step) {
    if (line[column] !== undefined) return column;
  }
  return from;
}
