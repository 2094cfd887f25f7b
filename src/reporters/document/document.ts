import { formatShortNumber } from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';

/**
 * What a report says, apart from how it is shown: the answer, notes, facts, lists and tables. Each report is written
 * once as a document; `markdown.ts` renders it for files and pull requests, and the command line for a terminal.
 */
export interface Document {
  /** The heading in Markdown. */
  title: Line;
  /** The report in one sentence. */
  answer?: Span;
  /** What to know before trusting the figures. They may quote names from files. */
  notes: readonly string[];
  blocks: readonly Block[];
  /** The figures that sum up: Markdown has them at the top, a terminal at the end, where people look first. */
  totals?: Section;
}

/** Text that stays on one line. A bare string is in Proctor's own words. */
export type Line = string | Span | readonly (string | Span)[];

export interface Span {
  text: string;
  /** The text comes from a file, a server or an agent: Markdown shows it as code, so that nothing in it is markup. */
  isQuoted?: true;
  /** Markdown puts a sign for the tone before it. */
  isVerdict?: true;
  tone?: Tone;
  /** The text with all digits, for Markdown, which has room for them. */
  exact?: string;
}

export type Tone = 'good' | 'bad' | 'warning' | 'open' | 'same' | 'strong' | 'dim';

export type Block = Paragraph | Facts | List | Table | Section;

export interface Paragraph {
  type: 'paragraph';
  text: Line;
}

/** Lines of a name and what there is to say about it. */
export interface Facts extends Limited {
  type: 'facts';
  rows: readonly Fact[];
}

export interface Fact {
  name: Line;
  text: Line;
}

export interface List extends Limited {
  type: 'list';
  items: readonly ListItem[];
}

interface ListItem {
  text: Line;
  details?: readonly Line[];
}

export interface Table extends Limited {
  type: 'table';
  columns: readonly Column[];
  /** Undefined: not known. */
  rows: readonly (readonly (Line | undefined)[])[];
  /** Explains the table, beside the notes of its columns. */
  note?: string;
}

export interface Column {
  title: Line;
  align?: 'right';
  /** The column that is cut where a terminal is too narrow. */
  isFlexible?: true;
  /** The column is left out where a terminal is too narrow: those with the lowest number first. */
  spare?: number;
  /** Explains the title. */
  note?: string;
}

export interface Section {
  type: 'section';
  title: Line;
  blocks: readonly Block[];
  /** Markdown folds it away. */
  isFolded?: true;
}

/** Blocks can be long. `-o json` has everything. */
interface Limited {
  /** The word for one row or item. */
  noun: string;
  limit?: number;
  /** GitHub refuses a comment over 64 KiB: a limit for Markdown alone. */
  markdownLimit?: number;
}

/** Text from a file, a server or an agent. */
export function quote(text: string, tone?: Tone): Span {
  return { text, isQuoted: true, ...(tone && { tone }) };
}

export function verdict(text: string, tone: Tone): Span {
  return { text, tone, isVerdict: true };
}

/** `13.5k`, and in Markdown `13,512`. */
export function makeAmount(value: number): Span {
  return { text: formatShortNumber(value), exact: Math.round(value).toLocaleString('en-US') };
}

/** Names from outside in a row, with the number of those that are left out. */
export function quoteNames(names: readonly string[], limit: number): (string | Span)[] {
  const shown = names.slice(0, limit).flatMap((name) => [', ', quote(name)]);
  const more = names.length > limit ? [`, and ${names.length - limit} more`] : [];
  return [...shown.slice(1), ...more];
}

/** A column of numbers. */
export const right = { align: 'right' } as const;

/** A column and how to get its cell from a row. */
export interface TableColumn<Row> extends Column {
  /** Undefined: not known. A column without any known cell is left out. */
  cell(row: Row): Line | undefined;
}

export function makeTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  options: Omit<Table, 'type' | 'columns' | 'rows'>,
): Table {
  const filled = columns
    .map(({ cell, ...column }) => ({ column, cells: rows.map((row) => cell(row)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== undefined));
  return {
    type: 'table',
    columns: filled.map(({ column }) => column),
    rows: rows.map((_, index) => filled.map(({ cells }) => cells[index])),
    ...options,
  };
}

/** A section that is left out if its blocks are empty. */
export function makeSection(title: Line, ...blocks: readonly Block[]): Section {
  return { type: 'section', title, blocks };
}

export function foldSection(title: Line, ...blocks: readonly Block[]): Section {
  return { ...makeSection(title, ...blocks), isFolded: true };
}

export function isEmpty(block: Block): boolean {
  switch (block.type) {
    case 'paragraph':
      return listSpans(block.text).every(({ text }) => text === '');
    case 'list':
      return block.items.length === 0;
    case 'section':
      return block.blocks.every(isEmpty);
    default:
      return block.rows.length === 0;
  }
}

export function listSpans(line: Line): Span[] {
  const parts = typeof line === 'string' || 'text' in line ? [line] : line;
  return parts.map((part) => (typeof part === 'string' ? { text: part } : part));
}

/** Splits the rows of a block into those to show, and a line about the others. */
export function limitRows<Row>(
  rows: readonly Row[],
  noun: string,
  limit = rows.length,
): { shown: readonly Row[]; rest: string | undefined } {
  const more = rows.length - limit;
  const rest = limit === 0 ? plural(more, noun) : `and ${plural(more, `more ${noun}`)}`;
  return { shown: rows.slice(0, limit), rest: more > 0 ? rest : undefined };
}

/** The notes of columns, and of the table itself. */
export function listTableNotes(
  columns: readonly Column[],
  { note }: Pick<Table, 'note'>,
): string[] {
  return [...columns.flatMap((column) => column.note ?? []), ...(note === undefined ? [] : [note])];
}
