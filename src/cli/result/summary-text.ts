import {
  describePassRate,
  describePassWithK,
  describeTasksPassed,
  formatCost,
  formatDollars,
  formatInterval,
  formatOutcomes,
  formatPassed,
  formatRate,
  formatShortDuration,
  formatShortNumber,
} from '../../analysis/figure-text.js';
import { listCaveats } from '../../analysis/summary/caveats.js';
import {
  type Amounts,
  decideTaskOutcome,
  type FailureSummary,
  type GroupSummary,
  type Summary,
  type TaskOutcome,
  type TaskSummary,
  type VariantSummary,
} from '../../analysis/summary/summary.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { describeOutcome, quoteForShell } from '../check/wording.js';
import type { Style } from '../terminal/output.js';
import { type Cell, type Column, tableLines } from '../terminal/table.js';
import { displayWidth, terminalLine } from '../terminal/text.js';

interface Look {
  style: Style;
  /** Columns of the terminal, if it is one. */
  width: number | undefined;
}

/** A summary for people. */
export function renderSummaryText(summary: Summary, look: Look): string {
  const { style } = look;
  const { columns, rows } = fillColumns(taskColumns, summary.tasks);
  const sections = [
    listCaveats(summary).map((caveat) => style('yellow', terminalLine(caveat))),
    summary.tasks.length > 0 ? tableLines(columns, rows, look) : [],
    renderSection('Did not pass', renderFailures(summary.tasks, style), style),
    renderSection('Flaky', renderFlaky(summary), style),
    renderSection('By variant', renderVariants(summary, look), style),
    renderSection('By difficulty', renderGroups(Object.entries(summary.byDifficulty), look), style),
    renderSection('By label', renderGroups(listLabelGroups(summary), look), style),
    renderSection('Totals', renderTotals(summary, style), style),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function renderSection(title: string, lines: string[], style: Style): string[] {
  return lines.length === 0 ? [] : [style('bold', title), ...lines];
}

const mostFlaky = 50;

function renderFlaky({ totals: { flaky } }: Summary): string[] {
  if (flaky.length === 0) return [];
  const names = flaky.slice(0, mostFlaky).map(terminalLine).join(', ');
  const more = flaky.length > mostFlaky ? ` and ${flaky.length - mostFlaky} more` : '';
  return [`  passed in some runs and not in others: ${names}${more}`];
}

type Groups = [name: string, group: GroupSummary][];

function listLabelGroups({ byLabel }: Summary): Groups {
  return Object.entries(byLabel).flatMap(([key, values]) =>
    Object.entries(values).map(([value, group]): Groups[number] => [`${key}=${value}`, group]),
  );
}

const mostGroups = 50;

const groupColumns: readonly Column[] = [
  { title: '', flexible: true },
  { title: 'passed', align: 'right' },
  { title: 'rate', align: 'right' },
  { title: '95% interval', align: 'right' },
];

function renderGroups(groups: Groups, look: Look): string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, mostGroups)
    .map(([name, { rate }]): Cell[] => [
      name,
      formatPassed(rate),
      formatRate(rate),
      formatInterval(rate),
    ]);
  const more = groups.length - mostGroups;
  return [
    ...tableLines(groupColumns, rows, { ...look, indent: '  ' }),
    ...(more > 0 ? [`  and ${more} more: -o json has them all`] : []),
  ];
}

function renderTotals(summary: Summary, style: Style): string[] {
  const rows = listTotals(summary);
  const width = Math.max(...rows.map(([name]) => displayWidth(name)));
  return rows.map(([name, text]) => {
    const padding = ' '.repeat(width - displayWidth(name));
    return `  ${style('dim', name)}${padding}  ${text}`;
  });
}

/** More failures are not printed as text; `-o json` has them all. */
const mostTasks = 20;
const mostReasons = 3;
const mostRuns = 10;

/** Why tasks did not pass, and what to type to see more of it. */
function renderFailures(tasks: readonly TaskSummary[], style: Style): string[] {
  const failed = tasks.filter(({ failures }) => failures.length > 0);
  const lines = failed.slice(0, mostTasks).flatMap((task) => renderTaskFailures(task, style));
  const more = failed.length - mostTasks;
  return more > 0 ? [...lines, `  and ${more} more tasks: -o json has them all`] : lines;
}

function renderTaskFailures(task: TaskSummary, style: Style): string[] {
  const { taskRuns, failures } = task;
  const shown = failures.slice(0, mostReasons);
  const more = failures.length - shown.length;
  const [first] = shown;
  return [
    `  ${style('bold', terminalLine(formatTaskName(task)))}`,
    ...shown.map((failure) => {
      const why = `${style('red', failure.category)}: ${terminalLine(failure.message)}`;
      return `    ${why}${taskRuns > 1 ? style('dim', `  ${formatRuns(failure)}`) : ''}`;
    }),
    ...(more > 0 ? [`    and for ${more} more reasons`] : []),
    ...(first ? [`    ${style('dim', makeViewCommand(task, first))}`] : []),
  ];
}

function formatRuns({ runs, count }: FailureSummary): string {
  const shown = runs.slice(0, mostRuns);
  const more = count - shown.length;
  const numbers = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${count === 1 ? 'run' : 'runs'} ${numbers}`;
}

/** Shows the first of these task runs. */
function makeViewCommand({ task, variant }: TaskSummary, { path, runs }: FailureSummary): string {
  const words = [
    ...['proctor', 'view', path, '--task', escapePattern(task)],
    ...(variant === null ? [] : ['--variant', escapePattern(variant)]),
    ...['--run', String(runs[0] ?? 1)],
  ];
  return terminalLine(words.map(quoteForShell).join(' '));
}

function escapePattern(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
}

/** The members that tasks and variants have in common. */
type Measured = Pick<TaskSummary & VariantSummary, 'rate' | 'outcomes' | 'amounts'>;

interface SummaryColumn<Row> extends Column {
  cell(row: Row): Cell;
  /** The column is left out if no row has anything to show in it. */
  isKnown?(row: Row): boolean;
}

const right = { align: 'right' } as const;

const callsColumn: SummaryColumn<Measured> = {
  title: 'calls',
  ...right,
  cell: ({ amounts }) => formatCalls(amounts),
};

const rateColumns: readonly SummaryColumn<Measured>[] = [
  { title: 'passed', ...right, cell: ({ rate }) => formatPassed(rate) },
  { title: 'rate', ...right, cell: ({ rate }) => formatRate(rate) },
  { title: '95% interval', ...right, cell: ({ rate }) => formatInterval(rate) },
  {
    title: 'not judged',
    ...right,
    cell: (row) => String(countNotJudged(row) || '-'),
    isKnown: (row) => countNotJudged(row) > 0,
  },
  {
    title: 'p50',
    ...right,
    cell: ({ amounts: { durationMs } }) => (durationMs ? formatShortDuration(durationMs.p50) : '-'),
    isKnown: ({ amounts }) => amounts.durationMs !== null,
  },
];

const spendingColumns: readonly SummaryColumn<Measured>[] = [
  {
    title: 'tokens',
    ...right,
    cell: ({ amounts: { usage } }) =>
      usage ? formatShortNumber(usage.inputTokens + usage.outputTokens) : '-',
    isKnown: ({ amounts }) => amounts.usage !== null,
  },
  {
    title: 'cost',
    ...right,
    cell: ({ amounts }) => formatCost(amounts) ?? '-',
    isKnown: ({ amounts }) => amounts.cost !== null,
  },
];

const taskColumns: readonly SummaryColumn<TaskSummary>[] = [
  { title: 'task', flexible: true, cell: ({ task }) => task },
  {
    title: 'variant',
    cell: ({ variant }) => variant ?? '-',
    isKnown: ({ variant }) => variant !== null,
  },
  { title: 'outcome', cell: formatOutcome },
  ...rateColumns,
  { ...callsColumn, isKnown: ({ amounts }) => countCalls(amounts) > 0 },
  ...spendingColumns,
];

const variantColumns: readonly SummaryColumn<VariantSummary>[] = [
  ...rateColumns,
  callsColumn,
  ...spendingColumns,
];

/** The columns that have something to show, and what they show of each row. */
function fillColumns<Row>(columns: readonly SummaryColumn<Row>[], rows: readonly Row[]) {
  const shown = columns.filter(({ isKnown }) => !isKnown || rows.some(isKnown));
  return { columns: shown, rows: rows.map((row) => shown.map(({ cell }) => cell(row))) };
}

function renderVariants({ byVariant }: Summary, look: Look): string[] {
  const names = Object.keys(byVariant);
  if (names.length === 0) return [];
  const { columns, rows } = fillColumns(variantColumns, Object.values(byVariant));
  return tableLines(
    [{ title: '', flexible: true }, ...columns],
    rows.map((row, index) => [names[index] ?? '', ...row]),
    { ...look, indent: '  ' },
  );
}

function formatOutcome(task: TaskSummary): Cell {
  const outcome: TaskOutcome = decideTaskOutcome(task);
  if (outcome === 'flaky') return { text: outcome, format: 'yellow' };
  const { word, format } = describeOutcome(outcome, false);
  return { text: word, format };
}

function countNotJudged({ outcomes }: Measured): number {
  return outcomes.error + outcomes.cancelled;
}

/** `4`, or `4, 2 failed`. */
function formatCalls(amounts: Amounts): string {
  const { errors } = amounts.calls;
  return `${countCalls(amounts)}${errors > 0 ? `, ${errors} failed` : ''}`;
}

function countCalls({ calls }: Amounts): number {
  return calls.tool + calls.resource + calls.prompt;
}

type Totals = Summary['totals'];

/** A line of the totals. */
type TotalsRow = [name: string, text: string];

function listTotals({ totals, byVariant }: Summary): TotalsRow[] {
  const isMatrix = Object.keys(byVariant).length > 0;
  return [
    ['task runs', `${totals.taskRuns}: ${formatOutcomes(totals.outcomes, totals.notRun)}`],
    ['pass rate', describePassRate(totals.rate)],
    ['tasks', describeTasksPassed(totals)],
    ...totals.passWithK.map(
      (each): TotalsRow => [`k = ${each.k}`, describePassWithK(each, isMatrix)],
    ),
    ...listAssertions(totals),
    ...listAmounts(totals),
  ];
}

function listAssertions({ assertions: { total, passed } }: Totals): TotalsRow[] {
  return total === 0 ? [] : [['assertions', `${passed} of ${total} held`]];
}

function listAmounts({ amounts, schemaTokens }: Totals): TotalsRow[] {
  const { durationMs, usage, cost, calls, judge, untold } = amounts;
  const partly = (count: number) =>
    count > 0 ? `; ${plural(count, 'task run')} did not tell` : '';
  const inAndOut = ({ inputTokens, outputTokens }: NonNullable<typeof usage>) =>
    `${formatShortNumber(inputTokens)} in, ${formatShortNumber(outputTokens)} out`;
  const rows: TotalsRow[] = [];
  if (durationMs) {
    const { p50, p95, max } = durationMs;
    const each = `${formatShortDuration(p50)} (median), p95 ${formatShortDuration(p95)}`;
    rows.push(['duration', `${each}, at most ${formatShortDuration(max)}`]);
  }
  const tokens = calls.tokens > 0 ? `, ${formatShortNumber(calls.tokens)} tokens` : '';
  const suspects = calls.suspected > 0 ? `, ${plural(calls.suspected, 'suspected error')}` : '';
  const errors = plural(calls.errors, 'error');
  rows.push(['calls', `${countCalls(amounts)}, ${errors}${suspects}${tokens}`]);
  if (schemaTokens !== null)
    rows.push(['tools', `${formatShortNumber(schemaTokens)} tokens to list`]);
  if (usage) rows.push(['model tokens', `${inAndOut(usage)}${partly(untold.usage)}`]);
  if (judge.usage) rows.push(['judge tokens', inAndOut(judge.usage)]);
  if (cost !== null) rows.push(['cost', `${formatDollars(cost)}${partly(untold.cost)}`]);
  if (judge.cost !== null) rows.push(['judge cost', formatDollars(judge.cost)]);
  return rows;
}
