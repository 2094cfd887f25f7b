import { formatShortNumber } from '../../analysis/figure-text.js';
import { listToolsCaveats } from '../../analysis/summary/caveats.js';
import { findToolFindings } from '../../analysis/tools/tool-findings.js';
import {
  findNeverExercised,
  getUsageUnit,
  type ServerUse,
  type ToolsReport,
  type ToolUse,
} from '../../analysis/tools/tool-usage.js';
import { plural } from '../../base/text.js';
import { cleanLine, cutToWidth, padToWidth } from '../check/live/terminal-line.js';
import type { Style } from '../terminal/output.js';
import { type Column, tableLines } from '../terminal/table.js';
import { displayWidth, wrapLine } from '../terminal/text.js';
import { chooseColumns, groupToolsByTask, listColumnNotes, usedColumns } from './tools-columns.js';
import { stripInvisible } from './view/timeline.js';

/** Longer lists are not printed as text; `-o json` has them whole. */
const maxLines = 100;
const maxNames = 50;

/** The tools report as text for a terminal. */
export function renderToolsText(report: ToolsReport, look: Look): string {
  const sections = [
    listToolsCaveats(report).flatMap((caveat) =>
      joinBlock(caveat, 0, look).map((line) => look.style('yellow', line)),
    ),
    ...report.servers.map((server) => renderServer(server, report, look)),
    renderSection('worth a look', findingLines(report, look), look),
    renderSection('offered and never used', renderNeverUsed(report, look), look),
    renderSection('never exercised', renderNeverExercised(report, look), look),
    renderSection('resources and prompts', renderOthers(report, look), look),
    renderSection(
      report.recorded ? 'tools by session' : 'tools by task',
      renderTasks(report, look),
      look,
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function renderSection(title: string, lines: readonly string[], { style }: Look): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, maxLines);
  const more =
    lines.length > shown.length ? [`  and ${lines.length - shown.length} more lines`] : [];
  return [style('bold', title), ...shown, ...more];
}

function findingLines(report: ToolsReport, look: Look): string[] {
  const { style } = look;
  let lastName = '';
  return findToolFindings(report).flatMap(({ server, tool, text, names, hint, quotes }) => {
    const name = formatToolName(report, server, tool);
    const head = name === lastName ? [] : [`  ${style('bold', cleanLine(name))}`];
    lastName = name;
    const about = names.length > 0 ? ` (${names.join(', ')})` : '';
    return [
      ...head,
      ...joinBlock(`${text}${about}: ${hint}`, 4, look),
      ...quotes.flatMap(({ text: said, calls }) =>
        joinBlock(`${calls}x ${said}`, 6, look).map((line) => style('dim', line)),
      ),
    ];
  });
}

function renderNeverUsed(report: ToolsReport, look: Look): string[] {
  const names = report.neverUsed.map(({ server, tool }) => formatToolName(report, server, tool));
  return joinBlock(listed(names), 2, look);
}

function renderNeverExercised(report: ToolsReport, look: Look): string[] {
  return findNeverExercised(report.tools).flatMap(({ server, tool, parameters, values }) => [
    `  ${look.style('bold', cleanLine(formatToolName(report, server, tool)))}`,
    ...joinBlock(parameters.length > 0 ? `parameters: ${listed(parameters)}` : '', 4, look),
    ...joinBlock(values.length > 0 ? `values: ${listed(values)}` : '', 4, look),
  ]);
}

function renderOthers(report: ToolsReport, { style, room }: Look): string[] {
  const { others } = report;
  if (others.length === 0) return [];
  const columns: Column[] = [
    { title: 'kind' },
    { title: 'name', flexible: true },
    { title: 'calls', align: 'right' },
    { title: 'errors', align: 'right' },
    { title: `${getUsageUnit(report)}s`, align: 'right' },
  ];
  const rows = others.map(({ server, kind, name, calls, errors, taskRuns }) => [
    kind,
    `${server}: ${name}`,
    String(calls),
    errors > 0 ? { text: String(errors), format: 'red' as const } : '',
    String(taskRuns),
  ]);
  return tableLines(columns, rows, { style, width: room, indent: '  ' });
}

function renderTasks({ tools }: ToolsReport, look: Look): string[] {
  const tasks = groupToolsByTask(tools).slice(0, maxLines);
  const names = tasks.map(({ task }) => cleanLine(task));
  const widest = Math.max(0, ...names.map(displayWidth));
  const room = Math.min(widest, Math.floor(look.width / 2)) + 2;
  return tasks.flatMap(({ tools: used }, index) => {
    const calls = used.map(({ name, calls }) => (calls > 1 ? `${name} ${calls}x` : name));
    const name = cutToWidth(names[index] ?? '', room - 2, '…');
    const [first = '', ...rest] = renderNames(calls, room + 2, look);
    return [`  ${padToWidth(name, room)}${first.trimStart()}`, ...rest];
  });
}

/** With the server where there are several. */
function formatToolName(
  { servers }: Pick<ToolsReport, 'servers'>,
  server: string,
  tool: string,
): string {
  return servers.length > 1 ? `${server}.${tool}` : tool;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown}, and ${names.length - maxNames} more` : shown;
}

/** Names are never broken in two, so that they can be copied. */
function renderNames(names: readonly string[], indent: number, { width }: Look): string[] {
  const shown = names.slice(0, maxNames).map((name) => stripInvisible(name));
  if (names.length > maxNames) shown.push(`and ${names.length - maxNames} more`);
  const lines: string[] = [];
  for (const [index, name] of shown.entries()) {
    const item = index < shown.length - 1 ? `${name},` : name;
    const last = lines.at(-1);
    const longer = last === undefined ? '' : `${last} ${item}`;
    if (last === undefined || displayWidth(longer) > width) lines.push(' '.repeat(indent) + item);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A paragraph of text from outside, indented. */
function joinBlock(text: string, indent: number, { width }: Look): string[] {
  if (text === '') return [];
  return wrapLine(stripInvisible(text), width - indent).map((line) => ' '.repeat(indent) + line);
}

interface Look {
  style: Style;
  /** Columns of a line of text. */
  width: number;
  /** Width of a table. Undefined, without a terminal: as wide as it gets. */
  room: number | undefined;
}

const maxRows = 100;
/** Columns that names get before numbers are left out for them. */
const widestName = 28;
const indent = '  ';

/** A server with a table of the tools that were called. */
function renderServer(server: ServerUse, report: ToolsReport, look: Look): string[] {
  const { style } = look;
  const { tools } = report;
  const unit = getUsageUnit(report);
  const own = tools.filter((use) => use.server === server.server);
  const head = `${style('bold', cleanLine(server.server))}  ${style('dim', describeServer(server, own, unit))}`;
  const used = own.filter(({ calls }) => calls > 0).sort((left, right) => right.calls - left.calls);
  if (used.length === 0) return [head, `${indent}none of its tools was called`];
  return [
    head,
    ...renderToolTable(used.slice(0, maxRows), look, unit),
    ...(used.length > maxRows ? [`${indent}and ${used.length - maxRows} more`] : []),
  ];
}

type Unit = ReturnType<typeof getUsageUnit>;

function describeServer(
  { taskRuns, offered }: ServerUse,
  tools: readonly ToolUse[],
  unit: Unit,
): string {
  const tokens = tools.reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
  return [
    `had by ${plural(taskRuns, unit)}`,
    ...(offered === null ? [] : [`lists ${plural(offered, 'tool')}`]),
    ...(tokens > 0 ? [`${formatShortNumber(tokens)} tokens of definitions`] : []),
  ].join(', ');
}

function renderToolTable(
  tools: readonly ToolUse[],
  { style, width, room }: Look,
  unit: Unit,
): string[] {
  const names = tools.map(formatToolCell);
  const nameWidth = Math.min(widestName, Math.max(...names.map(displayWidth)));
  const used = usedColumns(tools);
  const columns =
    room === undefined ? used : chooseColumns(used, tools, room - indent.length - nameWidth);
  const numbers = columns.map(({ title }): Column => ({ title, align: 'right' }));
  const rows = tools.map((use, index) => [
    names[index] ?? '',
    ...columns.map(({ title, cell }) => formatCell(title, cell(use))),
  ]);
  const table = [{ title: 'tool', flexible: true }, ...numbers];
  return [
    ...tableLines(table, rows, { style, width: room, indent }),
    ...wrapLine(listColumnNotes(columns, used, unit), width - indent.length).map(
      (line) => indent + style('dim', line),
    ),
  ];
}

function formatToolCell({ tool, offered }: ToolUse): string {
  return cleanLine(offered === false ? `${tool} (not listed)` : tool);
}

function formatCell(title: string, text = '') {
  const isBad = title === 'errors' || title === 'rejected' || title === 'blocked';
  return isBad && text !== '' ? { text, format: 'red' as const } : text;
}
