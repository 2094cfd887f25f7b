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
import {
  formatCodeSpan,
  formatMarkdownTable,
  type MarkdownColumn,
} from '../../reporters/markdown/markdown.js';
import { groupToolsByTask, listColumnNotes, usedColumns } from './tools-columns.js';

/** A comment on GitHub has room for about this much. */
const maxRows = 100;
const maxNames = 30;

/** The tools report as Markdown, for a pull request. */
export function renderToolsMarkdown(report: ToolsReport): string {
  const sections = [
    '## How agents used the tools',
    listToolsCaveats(report)
      .map((caveat) => `> ⚠️ ${formatCodeSpan(caveat)}`)
      .join('\n>\n'),
    ...report.servers.map((server) => renderServer(server, report)),
    renderSection('Worth a look', findings(report)),
    renderSection('Offered and never used', renderNeverUsed(report)),
    renderSection('Never exercised', renderExercised(report)),
    renderSection('Resources and prompts', renderOthers(report)),
    renderSection(report.recorded ? 'Tools by session' : 'Tools by task', renderByTask(report)),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function renderSection(title: string, text: string): string {
  return text === '' ? '' : `### ${title}\n\n${text}`;
}

function renderServer({ server, taskRuns, offered }: ServerUse, report: ToolsReport): string {
  const unit = getUsageUnit(report);
  const used = report.tools
    .filter((use) => use.server === server && use.calls > 0)
    .sort((left, right) => right.calls - left.calls);
  const lists = offered === null ? '' : `, lists ${plural(offered, 'tool')}`;
  const head = `### Server ${formatCodeSpan(server)}\n\nHad by ${plural(taskRuns, unit)}${lists}.`;
  if (used.length === 0) return `${head} None of its tools was called.`;
  const columns = usedColumns(used);
  const name: MarkdownColumn<ToolUse> = {
    title: 'tool',
    cell: ({ tool }) => formatCodeSpan(tool, 'table'),
  };
  const numbers = columns.map(({ title, cell }) => ({ title, cell, align: 'right' as const }));
  const table = formatMarkdownTable([name, ...numbers], used.slice(0, maxRows));
  const notes = `<sub>${listColumnNotes(columns, columns, unit)}</sub>`;
  return [head, withRest(table, used.length - maxRows), notes].join('\n\n');
}

function findings(report: ToolsReport): string {
  const lines = findToolFindings(report).map(({ server, tool, text, names, hint, quotes }) => {
    const about = names.length > 0 ? ` (${listed(names)})` : '';
    const said = quotes
      .map((quote) => `\n  - ${quote.calls}x ${formatCodeSpan(quote.text)}`)
      .join('');
    return `- ${formatCodeSpan(`${server}.${tool}`)}: ${text}${about}: ${hint}${said}`;
  });
  return formatBullets(lines);
}

function renderNeverUsed({ neverUsed: tools }: ToolsReport): string {
  return listed(tools.map(({ server, tool }) => `${server}.${tool}`));
}

function renderExercised({ tools }: ToolsReport): string {
  return formatBullets(
    findNeverExercised(tools).map(({ server, tool, parameters, values }) => {
      const parts = [
        parameters.length > 0 ? `parameters ${listed(parameters)}` : '',
        values.length > 0 ? `values ${listed(values)}` : '',
      ];
      return `- ${formatCodeSpan(`${server}.${tool}`)}: ${parts.filter((part) => part !== '').join('; ')}`;
    }),
  );
}

function renderOthers(report: ToolsReport): string {
  const { others: uses } = report;
  if (uses.length === 0) return '';
  const table = formatMarkdownTable(
    [
      { title: 'server', cell: ({ server }) => formatCodeSpan(server, 'table') },
      { title: 'kind', cell: ({ kind }) => kind },
      { title: 'name', cell: ({ name }) => formatCodeSpan(name, 'table') },
      { title: 'calls', align: 'right', cell: ({ calls }) => String(calls) },
      { title: 'errors', align: 'right', cell: ({ errors }) => String(errors) },
      {
        title: `${getUsageUnit(report)}s`,
        align: 'right',
        cell: ({ taskRuns }) => String(taskRuns),
      },
    ],
    uses.slice(0, maxRows),
  );
  return withRest(table, uses.length - maxRows);
}

function renderByTask({ tools, recorded }: ToolsReport): string {
  const tasks = groupToolsByTask(tools);
  if (tasks.length === 0) return '';
  const table = formatMarkdownTable(
    [
      { title: recorded ? 'session' : 'task', cell: ({ task }) => formatCodeSpan(task, 'table') },
      {
        title: 'tools, and how often',
        cell: ({ tools: used }) =>
          used
            .slice(0, maxNames)
            .map(({ name, calls }) => `${formatCodeSpan(name, 'table')} ${calls}x`)
            .join(', '),
      },
    ],
    tasks.slice(0, maxRows),
  );
  return withRest(table, tasks.length - maxRows);
}

function formatBullets(lines: readonly string[]): string {
  return withRest(lines.slice(0, maxRows).join('\n'), lines.length - maxRows);
}

function withRest(text: string, rest: number): string {
  return rest > 0 ? `${text}\n\nand ${rest} more` : text;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => formatCodeSpan(name));
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return `${shown.join(', ')}${more}`;
}
