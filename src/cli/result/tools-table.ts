import { shortNumber } from '../../analysis/amount-text.js';
import {
  type ServerUse,
  type ToolsReport,
  type ToolUse,
  unitOf,
} from '../../analysis/tools/tool-usage.js';
import { plural } from '../../base/text.js';
import { cleanLine } from '../check/live/terminal-line.js';
import type { Style } from '../style.js';
import { displayWidth } from '../terminal-text.js';
import { wrapLine } from '../wrapped-text.js';
import { type Column, tableLines } from './table.js';
import { columnNotes, fittingColumns, usedColumns } from './tools-columns.js';

export interface Look {
  style: Style;
  /** Columns of a line of text. */
  width: number;
  /** Columns of a table. Undefined: as wide as it gets, as whoever reads it is no terminal. */
  room: number | undefined;
}

const maxRows = 100;
/** Columns that names get before numbers are left out for them. */
const widestName = 28;
const indent = '  ';

/** A server with a table of the tools that were called. */
export function serverLines(server: ServerUse, report: ToolsReport, look: Look): string[] {
  const { style } = look;
  const { tools } = report;
  const unit = unitOf(report);
  const own = tools.filter((use) => use.server === server.server);
  const head = `${style('bold', cleanLine(server.server))}  ${style('dim', about(server, own, unit))}`;
  const used = own.filter(({ calls }) => calls > 0).sort((left, right) => right.calls - left.calls);
  if (used.length === 0) return [head, `${indent}none of its tools was called`];
  return [
    head,
    ...tableOf(used.slice(0, maxRows), look, unit),
    ...(used.length > maxRows ? [`${indent}and ${used.length - maxRows} more`] : []),
  ];
}

type Unit = ReturnType<typeof unitOf>;

function about({ taskRuns, offered }: ServerUse, tools: readonly ToolUse[], unit: Unit): string {
  const tokens = tools.reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
  return [
    `had by ${plural(taskRuns, unit)}`,
    ...(offered === null ? [] : [`lists ${plural(offered, 'tool')}`]),
    ...(tokens > 0 ? [`${shortNumber(tokens)} tokens of definitions`] : []),
  ].join(', ');
}

function tableOf(tools: readonly ToolUse[], { style, width, room }: Look, unit: Unit): string[] {
  const names = tools.map(nameOf);
  const nameWidth = Math.min(widestName, Math.max(...names.map(displayWidth)));
  const used = usedColumns(tools);
  const columns =
    room === undefined ? used : fittingColumns(used, tools, room - indent.length - nameWidth);
  const numbers = columns.map(({ title }): Column => ({ title, align: 'right' }));
  const rows = tools.map((use, index) => [
    names[index] ?? '',
    ...columns.map(({ title, cell }) => cellOf(title, cell(use))),
  ]);
  const table = [{ title: 'tool', flexible: true }, ...numbers];
  return [
    ...tableLines(table, rows, { style, width: room, indent }),
    ...wrapLine(columnNotes(columns, used, unit), width - indent.length).map(
      (line) => indent + style('dim', line),
    ),
  ];
}

function nameOf({ tool, offered }: ToolUse): string {
  return cleanLine(offered === false ? `${tool} (not listed)` : tool);
}

function cellOf(title: string, text = '') {
  const isBad = title === 'errors' || title === 'rejected' || title === 'blocked';
  return isBad && text !== '' ? { text, format: 'red' as const } : text;
}
