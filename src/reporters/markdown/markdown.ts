const longest = 300;
/** What ends a line or changes the direction of text, and halves of characters. */
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text from outside as code, in which nothing is markup: no HTML, no link, no mention. */
export function formatCodeSpan(text: string, place: 'text' | 'table' = 'text'): string {
  const cut = text.length > longest ? `${text.slice(0, longest)} …` : text;
  const line = cut.replace(/\s+/g, ' ').replace(unsafe, '\ufffd').trim();
  if (line === '') return '` `';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const padding = runs.length > 0 ? ' ' : '';
  const code = `${fence}${padding}${line}${padding}${fence}`;
  // A bar ends the cell. Behind a backslash, no way to escape it is the same for all readers.
  return place === 'table' ? code.replaceAll('|', '¦') : code;
}

/** With separators: a table of Markdown has room for every digit. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

export interface MarkdownColumn<Row> {
  title: string;
  align?: 'right';
  /** Markdown in which bars are escaped. Undefined: nothing is known; where no row knows, no column. */
  cell(row: Row): string | undefined;
}

/** A table as GitHub has it, with the columns that have something to say. */
export function formatMarkdownTable<Row>(
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
