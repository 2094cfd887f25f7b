import { caveatsOfTools } from '../../analysis/summary/caveats.js';
import { neverExercised } from '../../analysis/tools/never-exercised.js';
import { toolFindings } from '../../analysis/tools/tool-findings.js';
import {
  type ServerUse,
  type ToolsReport,
  type ToolUse,
  unitOf,
} from '../../analysis/tools/tool-usage.js';
import { plural } from '../../base/text.js';
import { codeSpan } from '../../reporters/markdown/code-span.js';
import { type MarkdownColumn, markdownTable } from '../../reporters/markdown/markdown-table.js';
import { groupToolsByTask, listColumnNotes, usedColumns } from './tools-columns.js';

/** A comment on GitHub has room for about this much. */
const maxRows = 100;
const maxNames = 30;

/** The tools report as Markdown, for a pull request. */
export function renderToolsMarkdown(report: ToolsReport): string {
  const sections = [
    '## How agents used the tools',
    caveatsOfTools(report)
      .map((caveat) => `> ⚠️ ${codeSpan(caveat)}`)
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
  const unit = unitOf(report);
  const used = report.tools
    .filter((use) => use.server === server && use.calls > 0)
    .sort((left, right) => right.calls - left.calls);
  const lists = offered === null ? '' : `, lists ${plural(offered, 'tool')}`;
  const head = `### Server ${codeSpan(server)}\n\nHad by ${plural(taskRuns, unit)}${lists}.`;
  if (used.length === 0) return `${head} None of its tools was called.`;
  const columns = usedColumns(used);
  const name: MarkdownColumn<ToolUse> = {
    title: 'tool',
    cell: ({ tool }) => codeSpan(tool, 'table'),
  };
  const numbers = columns.map(({ title, cell }) => ({ title, cell, align: 'right' as const }));
  const table = markdownTable([name, ...numbers], used.slice(0, maxRows));
  const notes = `<sub>${listColumnNotes(columns, columns, unit)}</sub>`;
  return [head, withRest(table, used.length - maxRows), notes].join('\n\n');
}

function findings(report: ToolsReport): string {
  const lines = toolFindings(report).map(({ server, tool, text, names, hint, quotes }) => {
    const about = names.length > 0 ? ` (${listed(names)})` : '';
    const said = quotes.map((quote) => `\n  - ${quote.calls}x ${codeSpan(quote.text)}`).join('');
    return `- ${codeSpan(`${server}.${tool}`)}: ${text}${about}: ${hint}${said}`;
  });
  return formatBullets(lines);
}

function renderNeverUsed({ neverUsed: tools }: ToolsReport): string {
  return listed(tools.map(({ server, tool }) => `${server}.${tool}`));
}

function renderExercised({ tools }: ToolsReport): string {
  return formatBullets(
    neverExercised(tools).map(({ server, tool, parameters, values }) => {
      const parts = [
        parameters.length > 0 ? `parameters ${listed(parameters)}` : '',
        values.length > 0 ? `values ${listed(values)}` : '',
      ];
      return `- ${codeSpan(`${server}.${tool}`)}: ${parts.filter((part) => part !== '').join('; ')}`;
    }),
  );
}

function renderOthers(report: ToolsReport): string {
  const { others: uses } = report;
  if (uses.length === 0) return '';
  const table = markdownTable(
    [
      { title: 'server', cell: ({ server }) => codeSpan(server, 'table') },
      { title: 'kind', cell: ({ kind }) => kind },
      { title: 'name', cell: ({ name }) => codeSpan(name, 'table') },
      { title: 'calls', align: 'right', cell: ({ calls }) => String(calls) },
      { title: 'errors', align: 'right', cell: ({ errors }) => String(errors) },
      { title: `${unitOf(report)}s`, align: 'right', cell: ({ taskRuns }) => String(taskRuns) },
    ],
    uses.slice(0, maxRows),
  );
  return withRest(table, uses.length - maxRows);
}

function renderByTask({ tools, recorded }: ToolsReport): string {
  const tasks = groupToolsByTask(tools);
  if (tasks.length === 0) return '';
  const table = markdownTable(
    [
      { title: recorded ? 'session' : 'task', cell: ({ task }) => codeSpan(task, 'table') },
      {
        title: 'tools, and how often',
        cell: ({ tools: used }) =>
          used
            .slice(0, maxNames)
            .map(({ name, calls }) => `${codeSpan(name, 'table')} ${calls}x`)
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
  const shown = names.slice(0, maxNames).map((name) => codeSpan(name));
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return `${shown.join(', ')}${more}`;
}
