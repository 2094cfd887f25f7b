const longest = 300;
/** Characters that end a line or change the direction of text, and unpaired surrogates. */
const unsafe = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text from results as a code span, so that nothing in it is HTML, a link or a mention. */
export function formatCodeSpan(text: string, place: 'text' | 'table' = 'text'): string {
  const cut = text.length > longest ? `${text.slice(0, longest)} …` : text;
  const line = cut.replace(/\s+/g, ' ').replace(unsafe, '\ufffd').trim();
  if (line === '') return '` `';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const padding = runs.length > 0 ? ' ' : '';
  const code = `${fence}${padding}${line}${padding}${fence}`;
  // A bar would end the cell; programs differ in how they read an escaped one after a backslash.
  return place === 'table' ? code.replaceAll('|', '¦') : code;
}

/** A count with separators: a Markdown table has room for every digit. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

export interface MarkdownColumn<Row> {
  title: string;
  align?: 'right';
  /** Markdown with escaped bars. Undefined: not known; a column without any known cell is dropped. */
  cell(row: Row): string | undefined;
}

/** A table of GitHub's Markdown, without empty columns. */
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
