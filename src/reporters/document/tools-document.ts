import { formatPercent, formatShortDuration } from '../../analysis/figure-text.js';
import { listToolsCaveats } from '../../analysis/summary/caveats.js';
import { findToolFindings, type ToolFinding } from '../../analysis/tools/tool-findings.js';
import {
  findNeverExercised,
  getUsageUnit,
  type OtherUse,
  type ServerUse,
  type ToolsReport,
  type ToolUse,
} from '../../analysis/tools/tool-usage.js';
import { plural } from '../../base/text.js';
import {
  type Document,
  type Facts,
  type Line,
  type List,
  makeAmount,
  makeSection,
  makeTable,
  quote,
  quoteNames,
  right,
  type Section,
  type Span,
  type TableColumn,
} from './document.js';

const mostRows = 100;
const mostNames = 50;

/** How agents used the tools of servers. */
export function describeTools(report: ToolsReport): Document {
  const unused = report.neverUsed.map(({ server, tool }) => formatToolName(report, server, tool));
  const others = makeTable(makeOtherColumns(report), report.others, {
    noun: 'resource or prompt',
    limit: mostRows,
  });
  return {
    title: 'How agents used the tools',
    notes: listToolsCaveats(report),
    blocks: [
      ...report.servers.map((server) => describeServer(server, report)),
      makeSection('Worth a look', listFindings(report)),
      makeSection('Offered and never used', {
        type: 'paragraph',
        text: quoteNames(unused, mostNames),
      }),
      makeSection('Never exercised', listNeverExercised(report)),
      makeSection('Resources and prompts', others),
      makeSection(report.recorded ? 'Tools by session' : 'Tools by task', listTasks(report)),
    ],
  };
}

/** A server with a table of the tools that were called. */
function describeServer({ server, taskRuns, offered }: ServerUse, report: ToolsReport): Section {
  const unit = getUsageUnit(report);
  const own = report.tools.filter((use) => use.server === server);
  const used = own.filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls);
  const tokens = own.reduce((sum, { schemaTokens }) => sum + (schemaTokens ?? 0), 0);
  const facts: Line = [
    ...(offered === null ? [] : [`${plural(offered, 'tool')}, `]),
    `available in ${plural(taskRuns, unit)}`,
    ...(tokens > 0 ? [', ', makeAmount(tokens), ' tokens of definitions'] : []),
    ...(used.length > 0 ? [] : ['; none of its tools was called']),
  ];
  return makeSection(
    quote(server),
    { type: 'paragraph', text: facts },
    makeTable(makeToolColumns(unit), used, { noun: 'tool', limit: mostRows }),
  );
}

function makeToolColumns(unit: ReturnType<typeof getUsageUnit>): TableColumn<ToolUse>[] {
  return [
    {
      title: 'tool',
      isFlexible: true,
      cell: ({ tool, offered }) => [quote(tool), offered === false ? ' (not listed)' : ''],
    },
    { title: 'calls', ...right, cell: ({ calls }) => String(calls) },
    {
      title: 'used in',
      ...right,
      spare: 3,
      note: `used in: share of the ${unit}s`,
      cell: ({ share, calls }) => (calls === 0 ? undefined : formatPercent(share)),
    },
    {
      title: 'errors',
      ...right,
      cell: ({ errors, errorRate }) =>
        errors === 0 ? undefined : { text: formatPercent(errorRate ?? 0), tone: 'bad' },
    },
    {
      title: 'rejected',
      ...right,
      note: 'rejected: the server did not accept the arguments',
      cell: ({ rejected }) => countErrors(rejected),
    },
    {
      title: 'suspect',
      ...right,
      note: 'suspect: looks like an error and is not marked isError',
      cell: ({ suspected }) => (suspected === 0 ? undefined : String(suspected)),
    },
    {
      title: 'blocked',
      ...right,
      spare: 0,
      note: 'blocked: not allowed by the MCP config',
      cell: ({ blocked }) => countErrors(blocked),
    },
    {
      title: 'p50',
      ...right,
      spare: 2,
      cell: ({ durationMs }) => formatDuration(durationMs?.p50),
    },
    { title: 'p95', ...right, cell: ({ durationMs }) => formatDuration(durationMs?.p95) },
    {
      title: 'in',
      ...right,
      spare: 1,
      note: 'in: tokens of the arguments',
      cell: ({ tokens }) => (tokens ? makeAmount(tokens.args) : undefined),
    },
    {
      title: 'out',
      ...right,
      note: 'out: tokens of the results',
      cell: ({ tokens }) => (tokens ? makeAmount(tokens.result) : undefined),
    },
    {
      title: 'schema',
      ...right,
      note: 'schema: tokens of the definition',
      cell: ({ schemaTokens }) => (schemaTokens === null ? undefined : makeAmount(schemaTokens)),
    },
  ];
}

/** A zero that says nothing is left out, so that the others can be seen. */
function countErrors(count: number): Span | undefined {
  return count === 0 ? undefined : { text: String(count), tone: 'bad' };
}

function makeOtherColumns(report: ToolsReport): TableColumn<OtherUse>[] {
  return [
    { title: 'server', cell: ({ server }) => quote(server) },
    { title: 'kind', cell: ({ kind }) => kind },
    { title: 'name', isFlexible: true, cell: ({ name }) => quote(name) },
    { title: 'calls', ...right, cell: ({ calls }) => String(calls) },
    { title: 'errors', ...right, cell: ({ errors }) => countErrors(errors) ?? '0' },
    { title: `${getUsageUnit(report)}s`, ...right, cell: ({ taskRuns }) => String(taskRuns) },
  ];
}

/** The findings of each tool, with what servers said. */
function listFindings(report: ToolsReport): List {
  const byTool = new Map<string, Line[]>();
  for (const finding of findToolFindings(report)) {
    const name = formatToolName(report, finding.server, finding.tool);
    byTool.set(name, [...(byTool.get(name) ?? []), ...describeFinding(finding)]);
  }
  const items = [...byTool].map(([name, details]) => ({ text: quote(name, 'strong'), details }));
  return { type: 'list', items, noun: 'tool', limit: mostRows };
}

function describeFinding({ text, names, hint, quotes }: ToolFinding): Line[] {
  const about = names.length > 0 ? [' (', ...quoteNames(names, mostNames), ')'] : [];
  return [
    [text, ...about, `: ${hint}`],
    ...quotes.map((said) => [`${said.calls}x `, quote(said.text, 'dim')]),
  ];
}

function listNeverExercised(report: ToolsReport): List {
  const items = findNeverExercised(report.tools).map(({ server, tool, parameters, values }) => ({
    text: quote(formatToolName(report, server, tool), 'strong'),
    details: [
      ...(parameters.length > 0 ? [['parameters: ', ...quoteNames(parameters, mostNames)]] : []),
      ...(values.length > 0 ? [['values: ', ...quoteNames(values, mostNames)]] : []),
    ],
  }));
  return { type: 'list', items, noun: 'tool', limit: mostRows };
}

/** Which tools the runs of each task used, the most frequent first. */
function listTasks(report: ToolsReport): Facts {
  const byTask = new Map<string, { name: string; calls: number }[]>();
  for (const { server, tool, tasks } of report.tools) {
    const name = formatToolName(report, server, tool);
    for (const { task, calls } of tasks) {
      byTask.set(task, [...(byTask.get(task) ?? []), { name, calls }]);
    }
  }
  const rows = [...byTask]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([task, tools]) => ({ name: quote(task), text: describeCalls(tools) }));
  return { type: 'facts', rows, noun: 'task', limit: mostRows };
}

function describeCalls(tools: readonly { name: string; calls: number }[]): Line {
  const inOrder = tools.toSorted((left, right) => right.calls - left.calls);
  const shown = inOrder
    .slice(0, mostNames)
    .flatMap(({ name, calls }) => [', ', quote(name), calls > 1 ? ` ${calls}x` : '']);
  const more = tools.length > mostNames ? [`, and ${tools.length - mostNames} more`] : [];
  return [...shown.slice(1), ...more];
}

/** The name of a tool, with its server where there are several. */
function formatToolName({ servers }: ToolsReport, server: string, tool: string): string {
  return servers.length > 1 ? `${server}.${tool}` : tool;
}

function formatDuration(milliseconds: number | undefined): string | undefined {
  return milliseconds === undefined ? undefined : formatShortDuration(milliseconds);
}
