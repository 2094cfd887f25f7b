import { callsText, costText, dollars, shortDuration } from '../../analysis/amount-text.js';
import { passedText, passWithKSentence, rateWithInterval } from '../../analysis/rate-text.js';
import { caveatsOf, isAllControl, leftOutSentence } from '../../analysis/summary/caveats.js';
import type {
  Amounts,
  GroupSummary,
  Summary,
  TaskSummary,
  VariantSummary,
} from '../../analysis/summary/summary.js';
import { type TaskOutcome, taskOutcome } from '../../analysis/summary/task-outcome.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { codeSpan } from './code-span.js';
import { countText } from './count-text.js';
import { type MarkdownColumn, markdownTable } from './markdown-table.js';

/** GitHub refuses a comment over 64 KiB: with names as people give them, this many fit in. */
const mostRows = 100;
const mostFailures = 30;

/** A summary for pull requests, job summaries and files. Its first line is a heading. */
export function summaryMarkdown(summary: Summary, title = 'Evaluation'): string {
  const sections = [
    `## ${title}: ${headline(summary)}`,
    [...caveatsOf(summary), ...summary.leftOut.map(leftOutSentence)]
      .map((caveat) => `> ⚠️ ${codeSpan(caveat)}`)
      .join('\n>\n'),
    totalsLines(summary).join('\n'),
    tasksSection(summary),
    failuresSection(summary.tasks),
    variantsSection(summary),
    groupsSection(summary),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function headline(summary: Summary): string {
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

function totalsLines({ totals, byVariant }: Summary): string[] {
  const { rate, outcomes, assertions, amounts, passWithK, flaky } = totals;
  const { durationMs } = amounts;
  const lines = [`- pass rate ${rateWithInterval(rate)}`];
  if (outcomes.error > 0)
    lines.push(`- could not be judged: ${plural(outcomes.error, 'task run')}`);
  if (outcomes.cancelled > 0) lines.push(`- cancelled: ${plural(outcomes.cancelled, 'task run')}`);
  if (totals.notRun > 0) lines.push(`- not done: ${plural(totals.notRun, 'task run')}`);
  lines.push(`- ${totals.tasksPassed} of ${plural(totals.tasks, 'task')} passed in every run`);
  const isMatrix = Object.keys(byVariant).length > 0;
  for (const each of passWithK) lines.push(`- ${passWithKSentence(each, isMatrix)}`);
  if (flaky.length > 0) lines.push(`- flaky: ${names(flaky)}`);
  if (assertions.total > 0) {
    lines.push(`- ${assertions.passed} of ${plural(assertions.total, 'assertion')} held`);
  }
  if (durationMs) {
    const { p50, p95 } = durationMs;
    lines.push(`- a task run takes ${shortDuration(p50)} (median), p95 ${shortDuration(p95)}`);
  }
  return [...lines, ...callLines(amounts), ...spendingLines(amounts)];
}

/** Only where something is wrong with them: a green run can have calls that failed. */
function callLines({ calls }: Amounts): string[] {
  const { tool, resource, prompt, errors, suspected } = calls;
  if (errors + suspected === 0) return [];
  const hint = suspected > 0 ? ' (not marked isError)' : '';
  return [`- ${callsText(tool + resource + prompt, errors, suspected)}${hint}`];
}

function spendingLines({ usage, cost, judge, untold }: Amounts): string[] {
  const partly = (count: number) =>
    count > 0 ? `; ${plural(count, 'task run')} did not tell` : '';
  const inAndOut = ({ inputTokens, outputTokens }: NonNullable<Amounts['usage']>) =>
    `${countText(inputTokens)} in, ${countText(outputTokens)} out`;
  return [
    ...(usage ? [`- model tokens: ${inAndOut(usage)}${partly(untold.usage)}`] : []),
    ...(judge.usage ? [`- judge tokens: ${inAndOut(judge.usage)}`] : []),
    ...(cost === null ? [] : [`- cost: ${dollars(cost)}${partly(untold.cost)}`]),
    ...(judge.cost === null ? [] : [`- judge cost: ${dollars(judge.cost)}`]),
  ];
}

function names(all: readonly string[]): string {
  const shown = all.slice(0, mostFailures).map((name) => codeSpan(name));
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

/** Without an agent, a task is good if it fails. */
const controlWords: Partial<Record<TaskOutcome, string>> = {
  passed: '❌ passed without an agent',
  failed: '✅ noticed',
};

function outcomeWord(task: TaskSummary, control: boolean): string {
  const outcome = taskOutcome(task);
  return (control ? controlWords[outcome] : undefined) ?? `${signs[outcome]} ${outcome}`;
}

/** What a task, or a variant over all tasks, comes to. */
const figureColumns: readonly MarkdownColumn<TaskSummary | VariantSummary>[] = [
  { title: 'Passed', align: 'right', cell: ({ rate }) => passedText(rate) },
  { title: 'Pass rate (95%)', align: 'right', cell: ({ rate }) => rateWithInterval(rate) },
  {
    title: 'Not judged',
    align: 'right',
    cell: ({ outcomes: { error, cancelled } }) =>
      error + cancelled > 0 ? countText(error + cancelled) : undefined,
  },
  {
    title: 'Median',
    align: 'right',
    cell: ({ amounts: { durationMs } }) => (durationMs ? shortDuration(durationMs.p50) : undefined),
  },
  {
    title: 'Calls',
    align: 'right',
    cell: ({ amounts: { calls } }) => countText(calls.tool + calls.resource + calls.prompt),
  },
  {
    title: 'Tokens',
    align: 'right',
    cell: ({ amounts: { usage } }) =>
      usage ? countText(usage.inputTokens + usage.outputTokens) : undefined,
  },
  {
    title: 'Cost',
    align: 'right',
    cell: ({ amounts }) => costText(amounts),
  },
];

function tasksSection(summary: Summary): string {
  const { tasks } = summary;
  if (tasks.length === 0) return '';
  // Where not all have room: those that need a look.
  const bad = tasks.filter((task) => taskOutcome(task) !== 'passed');
  const good = tasks.filter((task) => taskOutcome(task) === 'passed');
  const shown = tasks.length > mostRows ? [...bad, ...good].slice(0, mostRows) : tasks;
  const control = isAllControl(summary);
  const columns: readonly MarkdownColumn<TaskSummary>[] = [
    { title: 'Task', cell: ({ task }) => codeSpan(task, 'table') },
    {
      title: 'Variant',
      cell: ({ variant }) => (variant === null ? undefined : codeSpan(variant, 'table')),
    },
    { title: 'Outcome', cell: (task) => outcomeWord(task, control) },
    ...figureColumns,
  ];
  return withRest(markdownTable(columns, shown), tasks.length - shown.length, 'task');
}

function withRest(text: string, rest: number, word: string): string {
  return rest > 0 ? `${text}\n\nand ${rest} more ${word}${rest === 1 ? '' : 's'}` : text;
}

function failuresSection(tasks: readonly TaskSummary[]): string {
  const all = tasks.flatMap((task) =>
    task.failures.map(({ category, message, count }) => {
      const times = count > 1 ? ` (${count} times)` : '';
      return `- ${codeSpan(formatTaskName(task))} ${category}${times}: ${codeSpan(message)}`;
    }),
  );
  if (all.length === 0) return '';
  const shown = all.slice(0, mostFailures);
  return withRest(`### Did not pass\n\n${shown.join('\n')}`, all.length - shown.length, 'failure');
}

function variantsSection({ byVariant }: Summary): string {
  const variants = Object.entries(byVariant).map(([name, variant]) => ({ name, ...variant }));
  if (variants.length === 0) return '';
  const columns: readonly MarkdownColumn<(typeof variants)[number]>[] = [
    { title: 'Variant', cell: ({ name }) => codeSpan(name, 'table') },
    ...figureColumns,
  ];
  const shown = variants.slice(0, mostRows);
  const table = markdownTable(columns, shown);
  return withRest(`### By variant\n\n${table}`, variants.length - shown.length, 'variant');
}

type Group = [name: string, group: GroupSummary];

const groupColumns: readonly MarkdownColumn<Group>[] = [
  { title: 'Group', cell: ([name]) => codeSpan(name, 'table') },
  { title: 'Passed', align: 'right', cell: ([, { rate }]) => passedText(rate) },
  { title: 'Pass rate (95%)', align: 'right', cell: ([, { rate }]) => rateWithInterval(rate) },
];

function groupsSection({ byDifficulty, byLabel }: Summary): string {
  const groups: Group[] = [
    ...Object.entries(byDifficulty),
    ...Object.entries(byLabel).flatMap(([key, values]) =>
      Object.entries(values).map(([value, group]): Group => [`${key}=${value}`, group]),
    ),
  ];
  if (groups.length === 0) return '';
  const shown = groups.slice(0, mostRows);
  const table = markdownTable(groupColumns, shown);
  return withRest(`### By difficulty and label\n\n${table}`, groups.length - shown.length, 'group');
}
