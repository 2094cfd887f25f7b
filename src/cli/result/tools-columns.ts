import {
  formatPercent,
  formatShortDuration,
  formatShortNumber,
} from '../../analysis/figure-text.js';
import type { getUsageUnit, ToolsReport, ToolUse } from '../../analysis/tools/tool-usage.js';
import { formatServerName } from '../../results/results-header.js';
import { UsageError } from '../exit-codes.js';

/** A column of numbers of tools. Undefined: nothing is known; where no tool knows, no column. */
export interface ToolColumn {
  title: string;
  /** Explains the title. */
  note?: string | ((unit: ReturnType<typeof getUsageUnit>) => string);
  cell(use: ToolUse): string | undefined;
}

/** A zero that says nothing is left out, so that the others can be seen. */
const countOrNothing = (count: number) => (count === 0 ? undefined : String(count));

const toolColumns: readonly ToolColumn[] = [
  { title: 'calls', cell: ({ calls }) => String(calls) },
  {
    title: 'used in',
    note: (unit) => `used in: share of the ${unit}s`,
    cell: ({ share, calls }) => (calls === 0 ? undefined : formatPercent(share)),
  },
  {
    title: 'errors',
    cell: ({ errors, errorRate }) => (errors === 0 ? undefined : formatPercent(errorRate ?? 0)),
  },
  {
    title: 'rejected',
    note: 'rejected: the server did not take the arguments',
    cell: ({ rejected }) => countOrNothing(rejected),
  },
  {
    title: 'suspect',
    note: 'suspect: looks like an error and is not marked isError',
    cell: ({ suspected }) => countOrNothing(suspected),
  },
  {
    title: 'blocked',
    note: 'blocked: not allowed by the MCP config',
    cell: ({ blocked }) => countOrNothing(blocked),
  },
  {
    title: 'p50',
    cell: ({ durationMs }) => (durationMs ? formatShortDuration(durationMs.p50) : undefined),
  },
  {
    title: 'p95',
    cell: ({ durationMs }) => (durationMs ? formatShortDuration(durationMs.p95) : undefined),
  },
  {
    title: 'in',
    note: 'in: tokens of the arguments',
    cell: ({ tokens }) => (tokens ? formatShortNumber(tokens.args) : undefined),
  },
  {
    title: 'out',
    note: 'out: tokens of the results',
    cell: ({ tokens }) => (tokens ? formatShortNumber(tokens.result) : undefined),
  },
  {
    title: 'schema',
    note: 'schema: tokens of the definition',
    cell: ({ schemaTokens }) =>
      schemaTokens === null ? undefined : formatShortNumber(schemaTokens),
  },
];

/** The columns that have something to show for these tools. */
export function usedColumns(tools: readonly ToolUse[]): ToolColumn[] {
  return toolColumns.filter(({ cell }) => tools.some((use) => cell(use) !== undefined));
}

/** Where a terminal is too narrow for all: what can be missed, the least first. */
const spare = ['blocked', 'in', 'p50', 'used in'];
/** Between columns. */
const gap = 2;

/** As many columns as fit into a width. */
export function chooseColumns(
  columns: readonly ToolColumn[],
  tools: readonly ToolUse[],
  room: number,
): readonly ToolColumn[] {
  const widthOf = ({ title, cell }: ToolColumn) =>
    tools.reduce((width, use) => Math.max(width, (cell(use) ?? '').length), title.length);
  let fitting = columns;
  for (const title of spare) {
    const width = fitting.reduce((sum, column) => sum + gap + widthOf(column), 0);
    if (width > room) fitting = fitting.filter((column) => column.title !== title);
  }
  return fitting;
}

/** Explains titles, and names the columns that did not fit. */
export function listColumnNotes(
  columns: readonly ToolColumn[],
  all: readonly ToolColumn[],
  unit: ReturnType<typeof getUsageUnit>,
): string {
  const missing = all.filter((column) => !columns.includes(column)).map(({ title }) => title);
  const narrow = `no room for ${missing.join(', ')}: make the terminal wider`;
  const notes = columns.flatMap(({ note }) =>
    typeof note === 'function' ? note(unit) : (note ?? []),
  );
  return [...notes, ...(missing.length > 0 ? [narrow] : [])].join('; ');
}

/** Which tools the runs of a task used. */
interface TaskTools {
  task: string;
  tools: { name: string; calls: number }[];
}

/** The other way round: by task. The names say the server only where there are several. */
export function groupToolsByTask(tools: readonly ToolUse[]): TaskTools[] {
  const severalServers = new Set(tools.map(({ server }) => server)).size > 1;
  const byTask = new Map<string, TaskTools>();
  for (const { server, tool, tasks } of tools) {
    const name = severalServers ? `${server}.${tool}` : tool;
    for (const { task, calls } of tasks) {
      const entry = byTask.get(task) ?? { task, tools: [] };
      byTask.set(task, entry);
      entry.tools.push({ name, calls });
    }
  }
  return [...byTask.values()]
    .map(({ task, tools: used }) => ({
      task,
      tools: used.sort((left, right) => right.calls - left.calls),
    }))
    .sort((left, right) => (left.task < right.task ? -1 : 1));
}

/** Only what is about one server, in every MCP config that has one of this name. */
export function selectServer(report: ToolsReport, name: string): ToolsReport {
  const wanted = new Set(
    report.servers
      .filter(({ server, mcpConfigFile }) =>
        [name, formatServerName({ name, mcpConfigFile })].includes(server),
      )
      .map(({ server }) => server),
  );
  const isOfIt = ({ server }: { server: string }) => wanted.has(server);
  if (wanted.size === 0) {
    const names = report.servers.slice(0, 20).map(({ server }) => server);
    const hint = names.length > 0 ? `servers are: ${names.join(', ')}` : 'the results name none';
    throw new UsageError(`--server: there is no server ${JSON.stringify(name)}`, hint);
  }
  return {
    ...report,
    servers: report.servers.filter(isOfIt),
    tools: report.tools.filter(isOfIt),
    neverUsed: report.neverUsed.filter(isOfIt),
    others: report.others.filter(isOfIt),
  };
}
