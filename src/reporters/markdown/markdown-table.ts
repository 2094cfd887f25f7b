export interface MarkdownColumn<Row> {
  title: string;
  align?: 'right';
  /** Markdown in which bars are escaped. Undefined: nothing is known; where no row knows, no column. */
  cell(row: Row): string | undefined;
}

/** A table as GitHub has it, with the columns that have something to say. */
export function markdownTable<Row>(
  columns: readonly MarkdownColumn<Row>[],
  rows: readonly Row[],
): string {
  const filled = columns
    .map((column) => ({ ...column, cells: rows.map((row) => column.cell(row)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== undefined));
  const lines = [
    filled.map(({ title }) => title),
    filled.map(({ align }) => (align === 'right' ? '---:' : '---')),
    ...rows.map((_, index) => filled.map(({ cells }) => cells[index] ?? '-')),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
