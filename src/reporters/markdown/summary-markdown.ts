import {
  describePassWithK,
  formatCallCounts,
  formatCost,
  formatDollars,
  formatPassed,
  formatRateWithInterval,
  formatShortDuration,
} from '../../analysis/figure-text.js';
import { describeLeftOut, isAllControl, listCaveats } from '../../analysis/summary/caveats.js';
import { summarize } from '../../analysis/summary/summarize.js';
import {
  type Amounts,
  decideTaskOutcome,
  type GroupSummary,
  type Summary,
  type TaskOutcome,
  type TaskSummary,
  type VariantSummary,
} from '../../analysis/summary/summary.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { isControl, type PooledResults } from '../../results/read/pooled-results.js';
import { getResultsName } from '../reporter.js';
import {
  formatCodeSpan,
  formatCount,
  formatMarkdownTable,
  type MarkdownColumn,
} from './markdown.js';

/** GitHub refuses a comment over 64 KiB: with names as people give them, this many fit in. */
const mostRows = 100;
const mostFailures = 30;

/** A summary for pull requests, job summaries and files. Its first line is a heading. */
export function formatSummaryMarkdown(summary: Summary, title = 'Evaluation'): string {
  const sections = [
    `## ${title}: ${formatHeadline(summary)}`,
    [...listCaveats(summary), ...summary.leftOut.map(describeLeftOut)]
      .map((caveat) => `> ⚠️ ${formatCodeSpan(caveat)}`)
      .join('\n>\n'),
    formatTotals(summary).join('\n'),
    formatTasks(summary),
    formatFailures(summary.tasks),
    formatVariants(summary),
    formatGroups(summary),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function formatHeadline(summary: Summary): string {
  const { totals, unfinished } = summary;
  const { rate } = totals;
  if (rate.rate === null) return '⚠️ nothing was judged';
  if (isAllControl(summary)) {
    const noticed = `${rate.judged - rate.passed} of ${plural(rate.judged, 'task run')}`;
    return `${rate.passed === 0 ? '✅' : '❌'} ${noticed} noticed the missing agent`;
  }
  const isWhole = rate.passed === totals.taskRuns && totals.notRun === 0 && unfinished.length === 0;
  const sign = isWhole ? '✅' : rate.passed === rate.judged ? '⚠️' : '❌';
  return `${sign} ${rate.passed} of ${plural(rate.judged, 'judged task run')} passed`;
}

function formatTotals({ totals, byVariant }: Summary): string[] {
  const { rate, outcomes, assertions, amounts, passWithK, flaky } = totals;
  const { durationMs } = amounts;
  const lines = [`- pass rate ${formatRateWithInterval(rate)}`];
  if (outcomes.error > 0)
    lines.push(`- could not be judged: ${plural(outcomes.error, 'task run')}`);
  if (outcomes.cancelled > 0) lines.push(`- cancelled: ${plural(outcomes.cancelled, 'task run')}`);
  if (totals.notRun > 0) lines.push(`- not done: ${plural(totals.notRun, 'task run')}`);
  lines.push(`- ${totals.tasksPassed} of ${plural(totals.tasks, 'task')} passed in every run`);
  const isMatrix = Object.keys(byVariant).length > 0;
  for (const mean of passWithK) lines.push(`- ${describePassWithK(mean, isMatrix)}`);
  if (flaky.length > 0) lines.push(`- flaky: ${formatNames(flaky)}`);
  if (assertions.total > 0) {
    lines.push(`- ${assertions.passed} of ${plural(assertions.total, 'assertion')} held`);
  }
  if (durationMs) {
    const { p50, p95 } = durationMs;
    lines.push(
      `- a task run takes ${formatShortDuration(p50)} (median), p95 ${formatShortDuration(p95)}`,
    );
  }
  return [...lines, ...formatCalls(amounts), ...formatSpending(amounts)];
}

/** Calls, if some failed: also a run that passed can have failed calls. */
function formatCalls({ calls }: Amounts): string[] {
  const { tool, resource, prompt, errors, suspected } = calls;
  if (errors + suspected === 0) return [];
  const hint = suspected > 0 ? ' (not marked isError)' : '';
  return [`- ${formatCallCounts(tool + resource + prompt, errors, suspected)}${hint}`];
}

function formatSpending({ usage, cost, judge, untold }: Amounts): string[] {
  const partly = (count: number) =>
    count > 0 ? `; ${plural(count, 'task run')} did not tell` : '';
  const inAndOut = ({ inputTokens, outputTokens }: NonNullable<Amounts['usage']>) =>
    `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`;
  return [
    ...(usage ? [`- model tokens: ${inAndOut(usage)}${partly(untold.usage)}`] : []),
    ...(judge.usage ? [`- judge tokens: ${inAndOut(judge.usage)}`] : []),
    ...(cost === null ? [] : [`- cost: ${formatDollars(cost)}${partly(untold.cost)}`]),
    ...(judge.cost === null ? [] : [`- judge cost: ${formatDollars(judge.cost)}`]),
  ];
}

function formatNames(all: readonly string[]): string {
  const shown = all.slice(0, mostFailures).map((name) => formatCodeSpan(name));
  const more = all.length > shown.length ? ` and ${all.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

const signs: Record<TaskOutcome, string> = {
  passed: '✅',
  failed: '❌',
  timeout: '❌',
  flaky: '⚠️',
  error: '⚠️',
  cancelled: '⚠️',
};

/** Words for control runs, in which a task that fails is good. */
const controlWords: Partial<Record<TaskOutcome, string>> = {
  passed: '❌ passed without an agent',
  failed: '✅ noticed',
};

function formatOutcome(task: TaskSummary, control: boolean): string {
  const outcome = decideTaskOutcome(task);
  return (control ? controlWords[outcome] : undefined) ?? `${signs[outcome]} ${outcome}`;
}

/** Columns with the figures of a task, or of a variant over all tasks. */
const figureColumns: readonly MarkdownColumn<TaskSummary | VariantSummary>[] = [
  { title: 'Passed', align: 'right', cell: ({ rate }) => formatPassed(rate) },
  { title: 'Pass rate (95%)', align: 'right', cell: ({ rate }) => formatRateWithInterval(rate) },
  {
    title: 'Not judged',
    align: 'right',
    cell: ({ outcomes: { error, cancelled } }) =>
      error + cancelled > 0 ? formatCount(error + cancelled) : undefined,
  },
  {
    title: 'Median',
    align: 'right',
    cell: ({ amounts: { durationMs } }) =>
      durationMs ? formatShortDuration(durationMs.p50) : undefined,
  },
  {
    title: 'Calls',
    align: 'right',
    cell: ({ amounts: { calls } }) => formatCount(calls.tool + calls.resource + calls.prompt),
  },
  {
    title: 'Tokens',
    align: 'right',
    cell: ({ amounts: { usage } }) =>
      usage ? formatCount(usage.inputTokens + usage.outputTokens) : undefined,
  },
  {
    title: 'Cost',
    align: 'right',
    cell: ({ amounts }) => formatCost(amounts),
  },
];

function formatTasks(summary: Summary): string {
  const { tasks } = summary;
  if (tasks.length === 0) return '';
  // If there are too many rows, those that did not pass come first.
  const bad = tasks.filter((task) => decideTaskOutcome(task) !== 'passed');
  const good = tasks.filter((task) => decideTaskOutcome(task) === 'passed');
  const shown = tasks.length > mostRows ? [...bad, ...good].slice(0, mostRows) : tasks;
  const control = isAllControl(summary);
  const columns: readonly MarkdownColumn<TaskSummary>[] = [
    { title: 'Task', cell: ({ task }) => formatCodeSpan(task, 'table') },
    {
      title: 'Variant',
      cell: ({ variant }) => (variant === null ? undefined : formatCodeSpan(variant, 'table')),
    },
    { title: 'Outcome', cell: (task) => formatOutcome(task, control) },
    ...figureColumns,
  ];
  return withRest(formatMarkdownTable(columns, shown), tasks.length - shown.length, 'task');
}

function withRest(text: string, rest: number, word: string): string {
  return rest > 0 ? `${text}\n\nand ${rest} more ${word}${rest === 1 ? '' : 's'}` : text;
}

function formatFailures(tasks: readonly TaskSummary[]): string {
  const all = tasks.flatMap((task) =>
    task.failures.map(({ category, message, count }) => {
      const times = count > 1 ? ` (${count} times)` : '';
      return `- ${formatCodeSpan(formatTaskName(task))} ${category}${times}: ${formatCodeSpan(message)}`;
    }),
  );
  if (all.length === 0) return '';
  const shown = all.slice(0, mostFailures);
  return withRest(`### Did not pass\n\n${shown.join('\n')}`, all.length - shown.length, 'failure');
}

function formatVariants({ byVariant }: Summary): string {
  const variants = Object.entries(byVariant).map(([name, variant]) => ({ name, ...variant }));
  if (variants.length === 0) return '';
  const columns: readonly MarkdownColumn<(typeof variants)[number]>[] = [
    { title: 'Variant', cell: ({ name }) => formatCodeSpan(name, 'table') },
    ...figureColumns,
  ];
  const shown = variants.slice(0, mostRows);
  const table = formatMarkdownTable(columns, shown);
  return withRest(`### By variant\n\n${table}`, variants.length - shown.length, 'variant');
}

type Group = [name: string, group: GroupSummary];

const groupColumns: readonly MarkdownColumn<Group>[] = [
  { title: 'Group', cell: ([name]) => formatCodeSpan(name, 'table') },
  { title: 'Passed', align: 'right', cell: ([, { rate }]) => formatPassed(rate) },
  {
    title: 'Pass rate (95%)',
    align: 'right',
    cell: ([, { rate }]) => formatRateWithInterval(rate),
  },
];

function formatGroups({ byDifficulty, byLabel }: Summary): string {
  const groups: Group[] = [
    ...Object.entries(byDifficulty),
    ...Object.entries(byLabel).flatMap(([key, values]) =>
      Object.entries(values).map(([value, group]): Group => [`${key}=${value}`, group]),
    ),
  ];
  if (groups.length === 0) return '';
  const shown = groups.slice(0, mostRows);
  const table = formatMarkdownTable(groupColumns, shown);
  return withRest(`### By difficulty and label\n\n${table}`, groups.length - shown.length, 'group');
}

const withoutAgent =
  '\n> No agent took part (`--control`): a task that fails is one that notices, and is good.\n';

/** The summary of results as Markdown, with what did not pass. */
export async function makeMarkdownReport(source: PooledResults): Promise<string> {
  const names = new Set(source.files.map(getResultsName));
  const title = [...names].slice(0, 3).map((name) => formatCodeSpan(name));
  if (names.size > title.length) title.push(`${names.size - title.length} more`);
  const markdown = formatSummaryMarkdown(await summarize(source), title.join(', '));
  const hasControl = source.files.some(({ header }) => isControl(header));
  return hasControl ? `${markdown}${withoutAgent}` : markdown;
}
