import { dollars, shortDuration, shortNumber } from '../../analysis/amount-text.js';
import { plural } from '../../config/plural.js';
import { addJudge, type JudgeUsage } from '../../events/judge-usage.js';
import type { Outcome } from '../../events/task-run-events.js';
import type { Style } from '../style.js';
import { displayWidth, terminalLine } from '../terminal-text.js';
import { passingTime } from './amounts.js';
import type { FinishedTaskRun } from './finished-task-run.js';
import type { TaskSummary } from './plan-summary.js';
import type { ProgressState } from './progress-state.js';

const outcomes: readonly Outcome[] = ['passed', 'failed', 'timeout', 'error', 'cancelled'];
const difficulties = ['easy', 'medium', 'hard'];
const maxRows = 30;

/** Totals in rows: what, and how much. */
export function totalsReport(state: ProgressState, elapsedMs: number, style: Style): string[] {
  const { finished, plan } = state;
  const rows: [string, string][] = [
    ['task runs', outcomeCounts(finished, plan.taskRuns)],
    [
      'tasks',
      `${plan.tasks.filter((task) => isPassed(state, task)).length} of ${plan.tasks.length} passed in every run`,
    ],
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

/** Every run of the task that belongs to this check came to a pass. */
function isPassed(state: ProgressState, { name, runs }: TaskSummary): boolean {
  const finished = state.finishedRunsOf(name);
  return finished.length >= runs && finished.every(({ outcome }) => outcome === 'passed');
}

function outcomeCounts(finished: readonly FinishedTaskRun[], planned: number): string {
  const counts = outcomes.flatMap((outcome) => {
    const count = finished.filter((run) => run.outcome === outcome).length;
    return count > 0 || outcome === 'passed' ? [`${count} ${outcome}`] : [];
  });
  const missing = planned - finished.length;
  if (missing > 0) counts.push(`${missing} not done`);
  return `${planned}: ${counts.join(', ')}`;
}

/** For every group that tasks belong to, how many of its task runs passed. */
function groupRows(
  state: ProgressState,
  title: string,
  groupsOf: (task: TaskSummary) => string[],
  order?: (a: string, b: string) => number,
): [string, string][] {
  const groups = new Map<string, { passed: number; finished: number }>();
  for (const task of state.plan.tasks) {
    const runs = state.finishedRunsOf(task.name);
    for (const group of groupsOf(task)) {
      const sums = groups.get(group) ?? { passed: 0, finished: 0 };
      sums.passed += runs.filter(({ outcome }) => outcome === 'passed').length;
      sums.finished += runs.length;
      groups.set(group, sums);
    }
  }
  const all = [...groups].filter(([, { finished }]) => finished > 0);
  if (order) all.sort(([a], [b]) => order(a, b));
  const rows = all
    .slice(0, maxRows)
    .map(([group, { passed, finished }]): [string, string] => [
      `${title} ${terminalLine(group.slice(0, 60))}`,
      `${passed} of ${finished} passed`,
    ]);
  const more = all.length - rows.length;
  return more > 0 ? [...rows, [title, `and ${more} more`]] : rows;
}

function byDifficulty(a: string, b: string): number {
  return difficulties.indexOf(a) - difficulties.indexOf(b);
}

function timeText(finished: readonly FinishedTaskRun[], elapsedMs: number): string {
  const durations = finished.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const middle = durations[Math.floor(durations.length / 2)];
  const longest = durations.at(-1);
  if (middle === undefined || longest === undefined) return passingTime(elapsedMs);
  const each = `a task run ${shortDuration(middle)} (median), at most ${shortDuration(longest)}`;
  return `${passingTime(elapsedMs)}; ${each}`;
}

function callText(finished: readonly FinishedTaskRun[]): string {
  const sum = (of: (run: FinishedTaskRun) => number) =>
    finished.reduce((total, run) => total + of(run), 0);
  const errors = sum(({ callErrors }) => callErrors);
  const tokens = shortNumber(sum(({ callTokens }) => callTokens));
  return `${sum(({ calls }) => calls)}, ${plural(errors, 'error')}, ${tokens} tokens of arguments and results`;
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

/** Only what agents told, and what follows from it. */
function usageRows({ finished, models }: ProgressState): [string, string][] {
  const known = finished.flatMap(({ tokens }) => (tokens ? [tokens] : []));
  const costs = finished.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const rows: [string, string][] = [];
  const partly = (count: number) =>
    count < finished.length ? ` (known of ${count} of ${plural(finished.length, 'task run')})` : '';
  if (known.length > 0) {
    const input = shortNumber(known.reduce((sum, tokens) => sum + tokens.input, 0));
    const output = shortNumber(known.reduce((sum, tokens) => sum + tokens.output, 0));
    rows.push(['model tokens', `${input} in, ${output} out${partly(known.length)}`]);
  }
  if (costs.length > 0) {
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    const how = finished.some(({ costSource }) => costSource === 'priced') ? byPrices : '';
    rows.push(['cost', `${dollars(total)}${how}${partly(costs.length)}`]);
  }
  const unpriced = finished.some(({ tokens, cost }) => tokens && cost === undefined);
  if (unpriced && costs.length === 0) rows.push(['cost', unknownCost(models.agent)]);
  return rows;
}

const byPrices = ' by tokens and prices';

/** Its tokens are known, and nobody said what they cost. */
function unknownCost(model: string | undefined): string {
  const whose = model === undefined ? '' : ` of ${terminalLine(model)}`;
  return `unknown: no price${whose} is known; --prices takes a file with prices`;
}

/** Only what the judge told, and what follows from it. */
function judgeRows({ finished, models }: ProgressState): [string, string][] {
  const sum: JudgeUsage = {};
  for (const { judge } of finished) addJudge(sum, judge);
  const { usage, cost, costSource } = sum;
  const how = costSource === 'reported' ? '' : byPrices;
  const parts = [
    ...(usage
      ? [`${shortNumber(usage.inputTokens)} tokens in, ${shortNumber(usage.outputTokens)} out`]
      : []),
    ...(cost === undefined ? [] : [`${dollars(cost)}${how}`]),
    ...(usage && cost === undefined ? [`cost ${unknownCost(models.judge)}`] : []),
  ];
  return parts.length === 0 ? [] : [['judge', parts.join(', ')]];
}
