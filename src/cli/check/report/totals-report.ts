import {
  describePassRate,
  describeTasksPassed,
  formatDollars,
  formatOutcomes,
  formatPassed,
  formatRate,
  formatShortDuration,
  formatShortNumber,
} from '../../../analysis/figure-text.js';
import {
  computePassFigures,
  countOutcomes,
  type PassFigures,
} from '../../../analysis/pass-rates.js';
import { computeSpread } from '../../../analysis/summary/summary.js';
import { plural } from '../../../base/text.js';
import { sumJudgeUsage } from '../../../journal/usage.js';
import type { Style } from '../../terminal/output.js';
import { displayWidth, terminalLine } from '../../terminal/text.js';
import type { FinishedTaskRun } from '../live/finished-task-run.js';
import type { TaskSummary } from '../live/plan-summary.js';
import type { ProgressState } from '../live/progress-state.js';
import { formatElapsed } from '../wording.js';

const difficulties = ['easy', 'medium', 'hard'];
const maxRows = 30;

/** Totals in rows: what, and how much. */
export function renderTotals(state: ProgressState, elapsedMs: number, style: Style): string[] {
  const { finished, plan } = state;
  const figures = figuresOf(state, plan.tasks);
  const missing = plan.taskRuns - finished.length;
  const rows: [string, string][] = [
    ['task runs', `${plan.taskRuns}: ${formatOutcomes(figures.outcomes, missing)}`],
    ['pass rate', describePassRate(figures.rate)],
    ['tasks', `${describeTasksPassed(figures)}${notRunText(figures, plan.tasks)}`],
    ...groupRows(
      state,
      'difficulty',
      ({ difficulty }) => (difficulty ? [difficulty] : []),
      byDifficulty,
    ),
    ...groupRows(state, 'label', ({ labels }) =>
      Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ),
    ['time', timeText(finished, elapsedMs)],
    ['calls', callText(finished)],
    ...autoRunsRows(plan.tasks),
    ...usageRows(state),
    ...judgeRows(state),
  ];
  const width = Math.max(...rows.map(([name]) => displayWidth(name)));
  return rows.map(([name, text]) => {
    const padding = ' '.repeat(width - displayWidth(name));
    return `  ${style('dim', name)}${padding}  ${text}`;
  });
}

/** What the task runs of some tasks come to, in the same numbers as the summary of their results. */
function figuresOf(state: ProgressState, tasks: readonly TaskSummary[]): PassFigures {
  return computePassFigures(
    tasks.map(({ name, task }) => ({
      task,
      outcomes: countOutcomes(state.finishedRunsOf(name).map(({ outcome }) => outcome)),
    })),
  );
}

/** Tasks of the plan that it did not come to. */
function notRunText(figures: PassFigures, tasks: readonly TaskSummary[]): string {
  const missing = new Set(tasks.map(({ task }) => task)).size - figures.tasks;
  return missing > 0 ? `, ${missing} more not run` : '';
}

/** For every group that tasks belong to, how many of its judged task runs passed. */
function groupRows(
  state: ProgressState,
  title: string,
  groupsOf: (task: TaskSummary) => string[],
  order?: (a: string, b: string) => number,
): [string, string][] {
  const groups = new Map<string, TaskSummary[]>();
  for (const task of state.plan.tasks) {
    for (const group of groupsOf(task)) {
      const tasks = groups.get(group);
      if (tasks) tasks.push(task);
      else groups.set(group, [task]);
    }
  }
  const all = [...groups]
    .map(([group, tasks]) => ({ group, figures: figuresOf(state, tasks) }))
    .filter(({ figures }) => figures.taskRuns > 0);
  if (order) all.sort((a, b) => order(a.group, b.group));
  const rows = all
    .slice(0, maxRows)
    .map(({ group, figures: { rate } }): [string, string] => [
      `${title} ${terminalLine(group.slice(0, 60))}`,
      rate.rate === null ? 'none judged' : `${formatPassed(rate)} passed, ${formatRate(rate)}`,
    ]);
  const more = all.length - rows.length;
  return more > 0 ? [...rows, [title, `and ${more} more`]] : rows;
}

function byDifficulty(a: string, b: string): number {
  return difficulties.indexOf(a) - difficulties.indexOf(b);
}

function timeText(finished: readonly FinishedTaskRun[], elapsedMs: number): string {
  const spread = computeSpread(finished.map(({ workedMs }) => workedMs));
  if (!spread) return formatElapsed(elapsedMs);
  const each = `a task run ${formatShortDuration(spread.p50)} (median), at most ${formatShortDuration(spread.max)}`;
  return `${formatElapsed(elapsedMs)}; ${each}`;
}

function callText(finished: readonly FinishedTaskRun[]): string {
  const sum = (of: (run: FinishedTaskRun) => number) =>
    finished.reduce((total, run) => total + of(run), 0);
  const errors = sum(({ callErrors }) => callErrors);
  const suspected = sum(({ suspectedErrors }) => suspectedErrors);
  const suspects = suspected > 0 ? `, ${plural(suspected, 'suspected error')}` : '';
  const tokens = formatShortNumber(sum(({ callTokens }) => callTokens));
  return `${sum(({ calls }) => calls)}, ${plural(errors, 'error')}${suspects}, ${tokens} tokens of arguments and results`;
}

/** With --runs auto: how many tasks ran often enough. */
function autoRunsRows(tasks: readonly TaskSummary[]): [string, string][] {
  const auto = tasks.filter(({ isOpen }) => isOpen !== undefined);
  if (auto.length === 0) return [];
  const settled = auto.filter(({ isOpen }) => !isOpen);
  const full = settled.filter((task) => task.settled === 'max').length;
  const most = full > 0 ? `, ${full} of them by the most runs` : '';
  return [['runs', `auto: ${settled.length} of ${plural(auto.length, 'task')} settled${most}`]];
}

/** Rows of what agents reported, and what follows from it. */
function usageRows({ finished, models }: ProgressState): [string, string][] {
  const known = finished.flatMap(({ tokens }) => (tokens ? [tokens] : []));
  const costs = finished.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const rows: [string, string][] = [];
  const partly = (count: number) =>
    count < finished.length ? ` (known of ${count} of ${plural(finished.length, 'task run')})` : '';
  if (known.length > 0) {
    const input = formatShortNumber(known.reduce((sum, tokens) => sum + tokens.input, 0));
    const output = formatShortNumber(known.reduce((sum, tokens) => sum + tokens.output, 0));
    rows.push(['model tokens', `${input} in, ${output} out${partly(known.length)}`]);
  }
  if (costs.length > 0) {
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    const how = finished.some(({ costSource }) => costSource === 'priced') ? byPrices : '';
    rows.push(['cost', `${formatDollars(total)}${how}${partly(costs.length)}`]);
  }
  const unpriced = finished.some(({ tokens, cost }) => tokens && cost === undefined);
  if (unpriced && costs.length === 0) rows.push(['cost', unknownCost(models.agent)]);
  return rows;
}

const byPrices = ' by tokens and prices';

/** For tokens whose price is not known. */
function unknownCost(model: string | undefined): string {
  const whose = model === undefined ? '' : ` of ${terminalLine(model)}`;
  return `unknown: no price${whose} is known; --prices takes a file with prices`;
}

/** Rows of what the judge reported, and what follows from it. */
function judgeRows({ finished, models }: ProgressState): [string, string][] {
  const { usage, cost, costSource } = sumJudgeUsage(finished.map(({ judge }) => judge));
  const how = costSource === 'reported' ? '' : byPrices;
  const parts = [
    ...(usage
      ? [
          `${formatShortNumber(usage.inputTokens)} tokens in, ${formatShortNumber(usage.outputTokens)} out`,
        ]
      : []),
    ...(cost === undefined ? [] : [`${formatDollars(cost)}${how}`]),
    ...(usage && cost === undefined ? [`cost ${unknownCost(models.judge)}`] : []),
  ];
  return parts.length === 0 ? [] : [['judge', parts.join(', ')]];
}
