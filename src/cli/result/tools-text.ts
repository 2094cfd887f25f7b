import { caveatsOfTools } from '../../analysis/summary/caveats.js';
import { neverExercised } from '../../analysis/tools/never-exercised.js';
import { toolFindings } from '../../analysis/tools/tool-findings.js';
import { type ToolsReport, unitOf } from '../../analysis/tools/tool-usage.js';
import { cleanLine, cutToWidth, padToWidth } from '../check/live/terminal-line.js';
import { displayWidth } from '../terminal-text.js';
import { wrapLine } from '../wrapped-text.js';
import { type Column, tableLines } from './table.js';
import { toolsByTask } from './tools-by-task.js';
import { type Look, serverLines } from './tools-table.js';
import { harmlessLine } from './view/folded-text.js';

/** More of anything nobody reads at once; `-o json` has all. */
const maxLines = 100;
const maxNames = 50;

/** What the author of a server needs to know, for people. */
export function toolsText(report: ToolsReport, look: Look): string {
  const sections = [
    caveatsOfTools(report).flatMap((caveat) =>
      block(caveat, 0, look).map((line) => look.style('yellow', line)),
    ),
    ...report.servers.map((server) => serverLines(server, report, look)),
    section('worth a look', findingLines(report, look), look),
    section('offered and never used', neverUsedLines(report, look), look),
    section('never exercised', neverExercisedLines(report, look), look),
    section('resources and prompts', otherLines(report, look), look),
    section(report.recorded ? 'tools by session' : 'tools by task', taskLines(report, look), look),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, lines: readonly string[], { style }: Look): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, maxLines);
  const more =
    lines.length > shown.length ? [`  and ${lines.length - shown.length} more lines`] : [];
  return [style('bold', title), ...shown, ...more];
}

function findingLines(report: ToolsReport, look: Look): string[] {
  const { style } = look;
  let told = '';
  return toolFindings(report).flatMap(({ server, tool, text, names, hint, quotes }) => {
    const name = nameOf(report, server, tool);
    const head = name === told ? [] : [`  ${style('bold', cleanLine(name))}`];
    told = name;
    const about = names.length > 0 ? ` (${names.join(', ')})` : '';
    return [
      ...head,
      ...block(`${text}${about}: ${hint}`, 4, look),
      ...quotes.flatMap(({ text: said, calls }) =>
        block(`${calls}x ${said}`, 6, look).map((line) => style('dim', line)),
      ),
    ];
  });
}

function neverUsedLines(report: ToolsReport, look: Look): string[] {
  const names = report.neverUsed.map(({ server, tool }) => nameOf(report, server, tool));
  return block(listed(names), 2, look);
}

function neverExercisedLines(report: ToolsReport, look: Look): string[] {
  return neverExercised(report.tools).flatMap(({ server, tool, parameters, values }) => [
    `  ${look.style('bold', cleanLine(nameOf(report, server, tool)))}`,
    ...block(parameters.length > 0 ? `parameters: ${listed(parameters)}` : '', 4, look),
    ...block(values.length > 0 ? `values: ${listed(values)}` : '', 4, look),
  ]);
}

function otherLines(report: ToolsReport, { style, room }: Look): string[] {
  const { others } = report;
  if (others.length === 0) return [];
  const columns: Column[] = [
    { title: 'kind' },
    { title: 'name', flexible: true },
    { title: 'calls', align: 'right' },
    { title: 'errors', align: 'right' },
    { title: `${unitOf(report)}s`, align: 'right' },
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

function taskLines({ tools }: ToolsReport, look: Look): string[] {
  const tasks = toolsByTask(tools).slice(0, maxLines);
  const names = tasks.map(({ task }) => cleanLine(task));
  const widest = Math.max(0, ...names.map(displayWidth));
  const room = Math.min(widest, Math.floor(look.width / 2)) + 2;
  return tasks.flatMap(({ tools: used }, index) => {
    const calls = used.map(({ name, calls }) => (calls > 1 ? `${name} ${calls}x` : name));
    const name = cutToWidth(names[index] ?? '', room - 2, '…');
    const [first = '', ...rest] = nameLines(calls, room + 2, look);
    return [`  ${padToWidth(name, room)}${first.trimStart()}`, ...rest];
  });
}

/** With the server where there are several. */
function nameOf({ servers }: Pick<ToolsReport, 'servers'>, server: string, tool: string): string {
  return servers.length > 1 ? `${server}.${tool}` : tool;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? `${shown}, and ${names.length - maxNames} more` : shown;
}

/** None of them is broken: somebody may want to copy it. */
function nameLines(names: readonly string[], indent: number, { width }: Look): string[] {
  const shown = names.slice(0, maxNames).map((name) => harmlessLine(name));
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
function block(text: string, indent: number, { width }: Look): string[] {
  if (text === '') return [];
  return wrapLine(harmlessLine(text), width - indent).map((line) => ' '.repeat(indent) + line);
}
