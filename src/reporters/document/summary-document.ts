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
} from '../../analysis/figure-text.js';
import { describeLeftOut, isAllControl, listCaveats } from '../../analysis/summary/caveats.js';
import { summarize } from '../../analysis/summary/summarize.js';
import {
  type Amounts,
  decideTaskOutcome,
  type FailureSummary,
  type GroupSummary,
  type Summary,
  type TaskOutcome,
  type TaskSummary,
} from '../../analysis/summary/summary.js';
import { plural, quoteForShell } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import type { TokenUsage } from '../../journal/usage.js';
import { isControl, type PooledResults } from '../../results/read/pooled-results.js';
import { getResultsName } from '../reporter.js';
import {
  type Document,
  type Fact,
  type Line,
  makeAmount,
  makeSection,
  makeTable,
  quote,
  quoteNames,
  right,
  type Section,
  type Span,
  type TableColumn,
  type Tone,
  verdict,
} from './document.js';
import { renderMarkdown } from './markdown.js';

/** With more tasks, those that did not pass come first, as Markdown has no room for all of them. */
const mostTasks = 100;

/** The summary of results as a document. */
export function describeSummary(summary: Summary, title: Line = 'Evaluation'): Document {
  return {
    title,
    answer: describeAnswer(summary),
    notes: listCaveats(summary),
    blocks: [tabulateTasks(summary), listFailures(summary.tasks), ...describeGroups(summary)],
    totals: describeTotals(summary),
  };
}

/** The summary as Markdown, which also says what could not be read: the command line warns about it before. */
export function renderSummaryMarkdown(summary: Summary, title?: Line): string {
  const { notes, ...document } = describeSummary(summary, title);
  return renderMarkdown({
    ...document,
    notes: [...notes, ...summary.leftOut.map(describeLeftOut)],
  });
}

/** The summary of results as Markdown, titled by the names of their evals. */
export async function makeMarkdownReport(source: PooledResults): Promise<string> {
  const names = [...new Set(source.files.map(getResultsName))];
  const markdown = renderSummaryMarkdown(await summarize(source), quoteNames(names, 3));
  const hasControl = source.files.some(({ header }) => isControl(header));
  return hasControl ? `${markdown}${withoutAgent}` : markdown;
}

const withoutAgent =
  '\n> No agent took part (`--control`), so every task should fail: one that passes checks nothing.\n';

function describeAnswer(summary: Summary): Span {
  const { totals, unfinished } = summary;
  const { rate } = totals;
  if (rate.rate === null) return verdict('nothing was judged', 'warning');
  if (isAllControl(summary)) {
    const of = plural(rate.judged, 'task run');
    return rate.passed === 0
      ? verdict(`${rate.judged} of ${of} failed without an agent, as they should`, 'good')
      : verdict(`${rate.passed} of ${of} passed without an agent`, 'bad');
  }
  const isWhole = rate.passed === totals.taskRuns && totals.notRun === 0 && unfinished.length === 0;
  const tone = isWhole ? 'good' : rate.passed === rate.judged ? 'warning' : 'bad';
  return verdict(`${rate.passed} of ${plural(rate.judged, 'judged task run')} passed`, tone);
}

const outcomeTones: Record<TaskOutcome, Tone> = {
  passed: 'good',
  failed: 'bad',
  timeout: 'bad',
  flaky: 'warning',
  error: 'warning',
  cancelled: 'warning',
};

/** In control runs, a task that fails is good. */
const controlVerdicts: Partial<Record<TaskOutcome, Span>> = {
  passed: verdict('passed without an agent', 'bad'),
  failed: verdict('ok, fails without an agent', 'good'),
};

/** The figures that tasks, variants and groups have in common. */
type Measured = GroupSummary & { amounts?: Amounts };

const figureColumns: readonly TableColumn<Measured>[] = [
  { title: 'passed', ...right, cell: ({ rate }) => formatPassed(rate) },
  { title: 'rate', ...right, cell: ({ rate }) => formatRate(rate) },
  { title: '95% interval', ...right, spare: 2, cell: ({ rate }) => formatInterval(rate) },
  {
    title: 'not judged',
    ...right,
    cell: ({ outcomes: { error, cancelled } }) =>
      error + cancelled > 0 ? String(error + cancelled) : undefined,
  },
  {
    title: 'p50',
    ...right,
    spare: 1,
    cell: ({ amounts }) =>
      amounts?.durationMs ? formatShortDuration(amounts.durationMs.p50) : undefined,
  },
  {
    title: 'calls',
    ...right,
    cell: ({ amounts }) => amounts && formatCalls(amounts),
  },
  {
    title: 'tokens',
    ...right,
    spare: 0,
    cell: ({ amounts }) =>
      amounts?.usage
        ? makeAmount(amounts.usage.inputTokens + amounts.usage.outputTokens)
        : undefined,
  },
  { title: 'cost', ...right, cell: ({ amounts }) => amounts && formatCost(amounts) },
];

/** `4`, or `4, 2 failed`. */
function formatCalls({ calls }: Amounts): string {
  return `${countCalls(calls)}${calls.errors > 0 ? `, ${calls.errors} failed` : ''}`;
}

function countCalls({ tool, resource, prompt }: Amounts['calls']): number {
  return tool + resource + prompt;
}

function tabulateTasks(summary: Summary) {
  const { tasks } = summary;
  const isControl = isAllControl(summary);
  const columns: readonly TableColumn<TaskSummary>[] = [
    { title: 'task', isFlexible: true, cell: ({ task }) => quote(task) },
    { title: 'variant', cell: ({ variant }) => (variant === null ? undefined : quote(variant)) },
    {
      title: 'outcome',
      cell: (task) => {
        const outcome = decideTaskOutcome(task);
        const usual = verdict(outcome, outcomeTones[outcome]);
        return isControl ? (controlVerdicts[outcome] ?? usual) : usual;
      },
    },
    ...figureColumns,
  ];
  const isGood = (task: TaskSummary) => decideTaskOutcome(task) === 'passed';
  const inOrder =
    tasks.length > mostTasks
      ? [...tasks.filter((task) => !isGood(task)), ...tasks.filter(isGood)]
      : tasks;
  return makeTable(columns, inOrder, { noun: 'task', markdownLimit: mostTasks });
}

const mostFailedTasks = 20;
const mostReasons = 3;
const mostRuns = 10;

/** Why tasks did not pass, and what to type to see more of it. */
function listFailures(tasks: readonly TaskSummary[]): Section {
  const failed = tasks.filter(({ failures }) => failures.length > 0);
  const items = failed.map((task) => ({
    text: quote(formatTaskName(task), 'strong'),
    details: describeFailures(task),
  }));
  return makeSection('Did not pass', {
    type: 'list',
    items,
    noun: 'task',
    limit: mostFailedTasks,
  });
}

function describeFailures(task: TaskSummary): Line[] {
  const { taskRuns, failures } = task;
  const more = failures.length - mostReasons;
  return [
    ...failures
      .slice(0, mostReasons)
      .map((failure) => [
        { text: failure.category, tone: 'bad' as const },
        ': ',
        quote(failure.message),
        ...(taskRuns > 1 ? [{ text: `  ${formatRuns(failure)}`, tone: 'dim' as const }] : []),
      ]),
    ...(more > 0 ? [`and for ${more} more reasons`] : []),
    ...failures.slice(0, 1).map((first) => quote(makeViewCommand(task, first), 'dim')),
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
  return words.map(quoteForShell).join(' ');
}

function escapePattern(name: string): string {
  return `^${name.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}$`;
}

/** The figures by variant, by difficulty and by label: a section for each, if there is something in it. */
export function describeGroups({ byVariant, byDifficulty, byLabel }: Summary): Section[] {
  const labels = Object.entries(byLabel).flatMap(([key, values]) =>
    Object.entries(values).map(([value, group]): Group => [`${key}=${value}`, group]),
  );
  return [
    describeGroup('variant', Object.entries(byVariant)),
    describeGroup('difficulty', Object.entries(byDifficulty)),
    describeGroup('label', labels),
  ];
}

type Group = [name: string, group: Measured];

const mostGroups = 50;

function describeGroup(noun: string, groups: readonly Group[]): Section {
  const columns: readonly TableColumn<Group>[] = [
    { title: noun, isFlexible: true, cell: ([name]) => quote(name) },
    ...figureColumns.map(({ cell, ...column }) => ({
      ...column,
      cell: ([, group]: Group) => cell(group),
    })),
  ];
  return makeSection(`By ${noun}`, makeTable(columns, groups, { noun, limit: mostGroups }));
}

/** What only a check knows that has just ended. */
export interface CheckFacts {
  /** How long it took. */
  time: string;
  /** With --runs auto: how many tasks ran often enough. */
  runs?: string;
  /** Tasks of the plan without any task run. */
  tasksNotRun: number;
  /** Whether costs were computed from tokens and prices. */
  isPriced: { agent: boolean; judge: boolean };
}

/** The figures over all task runs. */
export function describeTotals(summary: Summary, check?: CheckFacts): Section {
  const { totals, byVariant, tasks } = summary;
  const { taskRuns, notRun, outcomes, rate, passWithK, assertions } = totals;
  const flaky = tasks.filter((task) => task.flaky);
  const isMatrix = Object.keys(byVariant).length > 0;
  const missing = check && check.tasksNotRun > 0 ? `, ${check.tasksNotRun} more not run` : '';
  const rows: Fact[] = [
    { name: 'task runs', text: `${taskRuns + notRun}: ${formatOutcomes(outcomes, notRun)}` },
    { name: 'pass rate', text: describePassRate(rate) },
    { name: 'tasks', text: `${describeTasksPassed(totals)}${missing}` },
    ...passWithK.map((mean) => ({
      name: `k = ${mean.k}`,
      text: describePassWithK(mean, isMatrix),
    })),
  ];
  if (flaky.length > 0) rows.push({ name: 'flaky', text: describeFlaky(flaky) });
  if (assertions.total > 0) {
    rows.push({ name: 'assertions', text: `${assertions.passed} of ${assertions.total} held` });
  }
  if (check?.runs !== undefined) rows.push({ name: 'runs', text: check.runs });
  return makeSection('Totals', {
    type: 'facts',
    rows: [...rows, ...listAmounts(summary, check)],
    noun: 'figure',
  });
}

const mostFlaky = 30;

function describeFlaky(tasks: readonly TaskSummary[]): Line {
  const shown = tasks
    .slice(0, mostFlaky)
    .flatMap((task) => [', ', quote(formatTaskName(task)), ` (${formatPassed(task.rate)} passed)`]);
  const more = tasks.length > mostFlaky ? [`, and ${tasks.length - mostFlaky} more`] : [];
  return [...shown.slice(1), ...more];
}

function listAmounts({ totals, sources }: Summary, check: CheckFacts | undefined): Fact[] {
  const { durationMs, usage, cost, calls, judge, untold } = totals.amounts;
  const { schemaTokens } = totals;
  const rows: Fact[] = [];
  const add = (name: string, ...text: (string | Span)[]) => rows.push({ name, text });
  if (check) add('time', check.time);
  if (durationMs) {
    const { p50, p95, max } = durationMs;
    const each = `${formatShortDuration(p50)} (median), p95 ${formatShortDuration(p95)}`;
    add('duration', `a task run ${each}, at most ${formatShortDuration(max)}`);
  }
  const suspected =
    calls.suspected > 0
      ? `, ${plural(calls.suspected, 'suspected error')} (not marked isError)`
      : '';
  const errors = `${countCalls(calls)}, ${plural(calls.errors, 'error')}${suspected}`;
  if (calls.tokens > 0)
    add('calls', `${errors}, `, makeAmount(calls.tokens), ' tokens of arguments and results');
  else add('calls', errors);
  if (schemaTokens !== null) add('tool definitions', makeAmount(schemaTokens), ' tokens');
  if (usage) add('model tokens', ...describeUsage(usage), describeUnreported(untold.usage));
  if (cost !== null) {
    const how = check?.isPriced.agent ? byPrices : '';
    add('cost', `${formatDollars(cost)}${how}${describeUnreported(untold.cost)}`);
  } else if (usage) {
    add('cost', ...describeUnknownCost(sources.flatMap(listModels)));
  }
  if (judge.usage) add('judge tokens', ...describeUsage(judge.usage));
  if (judge.cost !== null) {
    add('judge cost', `${formatDollars(judge.cost)}${check?.isPriced.judge ? byPrices : ''}`);
  } else if (judge.usage) {
    const models = sources.flatMap((source) => source.judge?.model ?? []);
    add('judge cost', ...describeUnknownCost(models));
  }
  return rows;
}

const byPrices = ' by tokens and prices';

function describeUsage({ inputTokens, outputTokens }: TokenUsage): (string | Span)[] {
  return [makeAmount(inputTokens), ' in, ', makeAmount(outputTokens), ' out'];
}

function describeUnreported(taskRuns: number): string {
  return taskRuns > 0 ? `; not reported by ${plural(taskRuns, 'task run')}` : '';
}

function describeUnknownCost(models: readonly string[]): (string | Span)[] {
  const names = quoteNames([...new Set(models)], 3);
  return [
    'unknown: no price',
    ...(names.length > 0 ? [' for ', ...names] : []),
    ' (see check --prices)',
  ];
}

function listModels({ agent, variants }: Summary['sources'][number]): string[] {
  const agents = agent ? [agent] : variants.map((variant) => variant.agent);
  return agents.flatMap((each) => each?.model ?? []);
}
