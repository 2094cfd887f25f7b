import { cleanLine, cutToWidth } from '../check/live/terminal-line.js';
import type { Style } from './output.js';
import { displayWidth } from './text.js';

export interface Column {
  title: string;
  /** For numbers. */
  align?: 'right';
  /** The column that is cut where the terminal is too narrow for all. */
  isFlexible?: true;
}

/** Text as it came: the table makes it one harmless line. */
export type Cell = string | { text: string; format: Parameters<Style>[0] };

export interface TableOptions {
  style: Style;
  /** Columns of the terminal. Undefined: as wide as it gets. */
  width?: number | undefined;
  /** Before every line. */
  indent?: string;
}

const gap = '  ';
const cut = '…';
const leastFlexible = 8;
/** Cells are cut to this width, however wide the output is. */
const mostFlexible = 200;

/** A line of titles, and a line for each row. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { style, width, indent = '' }: TableOptions,
): string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, format: 'bold' }));
  const texts = [titles, ...rows].map((row) =>
    columns.map((_, index) => takePart(row[index] ?? '')),
  );
  const widths = fitWidths(columns, texts, width === undefined ? undefined : width - indent.length);
  return texts.map((row) => {
    const cells = row.map(({ text, format }, index) => {
      const room = widths[index] ?? 0;
      const shown = cutToWidth(text, room, cut);
      const padding = ' '.repeat(Math.max(0, room - displayWidth(shown)));
      const styled = format === undefined || shown === '' ? shown : style(format, shown);
      if (columns[index]?.align === 'right') return `${padding}${styled}`;
      return index === row.length - 1 ? styled : `${styled}${padding}`;
    });
    return `${indent}${cells.join(gap)}`.trimEnd();
  });
}

function takePart(cell: Cell): { text: string; format?: Parameters<Style>[0] } {
  const { text, format } = typeof cell === 'string' ? { text: cell, format: undefined } : cell;
  const line = cutToWidth(cleanLine(text), mostFlexible, cut);
  return { text: line, ...(format !== undefined && { format }) };
}

function fitWidths(
  columns: readonly Column[],
  rows: readonly (readonly { text: string }[])[],
  room: number | undefined,
): number[] {
  const widths = columns.map((_, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index]?.text ?? '')), 0),
  );
  const flexible = columns.findIndex((column) => column.isFlexible);
  if (room === undefined || flexible < 0) return widths;
  const all = widths.reduce((sum, each) => sum + each, 0) + gap.length * (columns.length - 1);
  const wanted = widths[flexible] ?? 0;
  const left = wanted - Math.max(0, all - room);
  return widths.with(flexible, Math.min(wanted, Math.max(left, leastFlexible)));
}
