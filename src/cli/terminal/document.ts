import {
  type Block,
  type Column,
  type Document,
  isEmpty,
  type Line,
  limitRows,
  listSpans,
  listTableNotes,
  type Section,
  type Span,
  type Table,
  type Tone,
} from '../../reporters/document/document.js';
import { renderMarkdown } from '../../reporters/document/markdown.js';
import { cutToWidth } from '../check/live/terminal-line.js';
import type { CommandRun } from '../command.js';
import { jsonText, type Style, styleFor } from './output.js';
import { type Cell, tableLines } from './table.js';
import { displayWidth, printText, terminalColumns, terminalLine } from './text.js';

/** How a document is shown. */
export interface Look {
  style: Style;
  /** Columns of the terminal. Undefined: as wide as it gets. */
  width?: number | undefined;
}

/** A report in the forms that `-o` offers. */
export interface Report {
  /** For `-o json`. */
  data: object;
  document: Document;
}

/** Prints a report as `-o` asks for it: as JSON, as Markdown, or for people. */
export function printReport(
  { options, io }: Pick<CommandRun, 'options' | 'io'>,
  { data, document }: Report,
  output = io.stdout,
): void {
  if (options.output === 'json') output.write(jsonText(data));
  else if (options.output === 'markdown') output.write(renderMarkdown(document));
  else {
    const look = { style: styleFor(output, io.environment), width: terminalColumns(output) };
    printText(output, renderDocument(document, look));
  }
}

/** Renders a document for a terminal: no text in it can act on the terminal. */
export function renderDocument(document: Document, look: Look): string {
  const { answer, notes, blocks, totals } = document;
  const { style } = look;
  return joinParts([
    // Totals say the same at the end.
    answer && !totals ? [renderAnswer(answer, style)] : [],
    notes.map((note) => style('yellow', `note: ${terminalLine(note)}`)),
    ...renderBlocks([...blocks, ...(totals ? [totals] : [])], look),
  ]);
}

function renderAnswer({ text, tone }: Span, style: Style): string {
  const format = tone === undefined || tone === 'same' ? [] : [formats[tone]];
  return style(['bold', ...format], terminalLine(text));
}

/** Joins groups of lines by empty lines. */
export function joinParts(parts: readonly (readonly string[])[]): string {
  const filled = parts.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** The lines of each block that has some. */
export function renderBlocks(blocks: readonly Block[], look: Look): string[][] {
  return blocks.filter((block) => !isEmpty(block)).map((block) => renderBlock(block, look, ''));
}

function renderBlock(block: Block, look: Look, indent: string): string[] {
  const { style } = look;
  switch (block.type) {
    case 'paragraph':
      return [`${indent}${renderLine(block.text, style)}`];
    case 'facts': {
      const { shown, rest } = limitRows(block.rows, block.noun, block.limit);
      const names = shown.map(({ name }) => cutToWidth(getText(name), widestName, '…'));
      const width = Math.max(...names.map(displayWidth));
      const lines = shown.map(({ text }, index) => {
        const name = names[index] ?? '';
        const padding = ' '.repeat(width - displayWidth(name));
        return `${indent}${style('dim', name)}${padding}  ${renderLine(text, style)}`;
      });
      return [...lines, ...renderRest(rest, indent)];
    }
    case 'list': {
      const { shown, rest } = limitRows(block.items, block.noun, block.limit);
      const lines = shown.flatMap(({ text, details = [] }) => [
        `${indent}${renderLine(text, style)}`,
        ...details.map((detail) => `${indent}  ${renderLine(detail, style)}`),
      ]);
      return [...lines, ...renderRest(rest, indent)];
    }
    case 'table':
      return renderTable(block, look, indent);
    case 'section':
      return renderSection(block, look, indent);
  }
}

/** Names of facts are cut to this width. */
const widestName = 40;

function renderSection({ title, blocks }: Section, look: Look, indent: string): string[] {
  const filled = blocks.filter((block) => !isEmpty(block));
  return [
    `${indent}${look.style('bold', getText(title))}`,
    ...filled.flatMap((block) => renderBlock(block, look, `${indent}  `)),
  ];
}

function renderRest(rest: string | undefined, indent: string): string[] {
  return rest === undefined ? [] : [`${indent}${rest}: -o json has them all`];
}

function renderTable(table: Table, { style, width }: Look, indent: string): string[] {
  const { columns, rows, noun, limit } = table;
  const { shown, rest } = limitRows(rows, noun, limit);
  if (shown.length === 0) return renderRest(rest, indent);
  const cells = shown.map((row) => row.map(toCell));
  const fitting = chooseColumns(
    columns,
    cells,
    width === undefined ? width : width - indent.length,
  );
  const kept = fitting.map((column) => columns.indexOf(column));
  const missing = columns.filter((column) => !fitting.includes(column));
  const notes = [
    ...listTableNotes(fitting, table),
    ...(missing.length > 0 ? [describeMissing(missing)] : []),
  ];
  return [
    ...tableLines(
      fitting.map((column) => ({ ...column, title: getText(column.title) })),
      cells.map((row) => kept.map((index) => row[index] ?? '')),
      { style, width, indent },
    ),
    ...renderRest(rest, indent),
    ...(notes.length > 0 ? [`${indent}${style('dim', terminalLine(notes.join('; ')))}`] : []),
  ];
}

function describeMissing(columns: readonly Column[]): string {
  const titles = new Set(columns.map(({ title }) => getText(title)));
  return `no room for ${[...titles].join(', ')}: make the terminal wider`;
}

const gap = 2;
/** The flexible column gets this many columns before others are left out for it. */
const flexibleWidth = 28;

/** As many columns as fit into a width. */
export function chooseColumns(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number | undefined,
): readonly Column[] {
  if (width === undefined) return columns;
  const widths = new Map(
    columns.map((column, index) => {
      const texts = [getText(column.title), ...rows.map((row) => getCellText(row[index] ?? ''))];
      const widest = texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
      return [column, column.isFlexible ? Math.min(widest, flexibleWidth) : widest];
    }),
  );
  const spare = columns
    .filter((column) => column.spare !== undefined)
    .sort((left, right) => (left.spare ?? 0) - (right.spare ?? 0));
  let fitting = columns;
  for (const column of spare) {
    const total = fitting.reduce((sum, each) => sum + gap + (widths.get(each) ?? 0), -gap);
    if (total > width) fitting = fitting.filter((each) => each !== column);
  }
  return fitting;
}

function getCellText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

function toCell(line: Line = '-'): Cell {
  const spans = listSpans(line);
  const text = spans.map((span) => span.text).join('');
  const tone = spans.find((span) => span.tone !== undefined)?.tone;
  return tone === undefined ? text : { text, format: formats[tone] };
}

const formats = {
  good: 'green',
  bad: 'red',
  warning: 'yellow',
  open: 'yellow',
  same: 'dim',
  strong: 'bold',
  dim: 'dim',
} as const satisfies Record<Tone, Parameters<Style>[0]>;

/** A line with its colours. */
function renderLine(line: Line, style: Style): string {
  return listSpans(line)
    .map(({ text, tone }) => {
      const shown = terminalLine(text);
      return tone === undefined || shown === '' ? shown : style(formats[tone], shown);
    })
    .join('');
}

function getText(line: Line): string {
  return terminalLine(
    listSpans(line)
      .map(({ text }) => text)
      .join(''),
  );
}
