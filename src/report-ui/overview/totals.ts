import {
  computePassFigures,
  countOutcomes,
  type OutcomeCounts,
  type PassFigures,
  type Rate,
} from '../../analysis/pass-rates.js';
import { computeSpread } from '../../analysis/summary/summary.js';
import type { FailureCategory } from '../../journal/task-run-events.js';
import type { Searchable } from './searchable.js';

/** Figures over some task runs. */
export interface Totals extends Rate {
  count: number;
  /** How many are of `--rerun-failed`: these are shown, and in no rate. */
  leftOut: number;
  tasks: number;
  outcomes: OutcomeCounts;
  /** How many tasks the rate is of, and how many of them passed in every run. */
  rated: Pick<PassFigures, 'tasks' | 'tasksPassed'>;
  passWithK: PassFigures['passWithK'];
  /** Failure categories that the outcome does not imply, the most frequent first. */
  categories: { category: FailureCategory; count: number }[];
  durations: { p50: number; p95: number } | null;
  calls: number;
  callErrors: number;
  suspectedErrors: number;
  /** `reported`: how many task runs report this amount. */
  tokens: { input: number; output: number; reported: number } | null;
  cost: { sum: number; reported: number } | null;
}

/** Sums up task runs. The rate is over `tasks`: how runs spread over them decides its interval. */
export function sumTotals(
  searchable: Searchable,
  rows: readonly number[],
  tasks: readonly { task: number; outcomes: OutcomeCounts }[],
): Totals {
  const { taskRuns } = searchable.index;
  const figures = computePassFigures(tasks);
  const counting = rows.filter((row) => taskRuns.counts[row]);
  const known = (column: readonly (number | null)[]) => rows.flatMap((row) => column[row] ?? []);
  return {
    ...figures.rate,
    rated: { tasks: figures.tasks, tasksPassed: figures.tasksPassed },
    passWithK: figures.passWithK,
    count: counting.length,
    leftOut: rows.length - counting.length,
    tasks: new Set(rows.map((row) => taskRuns.task[row])).size,
    outcomes: countRowOutcomes(searchable, counting),
    categories: countCategories(counting.map((row) => taskRuns.category[row] ?? null)),
    durations: computeSpread(known(taskRuns.durationMs)),
    calls: sum(known(taskRuns.calls)),
    callErrors: sum(known(taskRuns.callErrors)),
    suspectedErrors: sum(known(taskRuns.suspectedErrors)),
    tokens: sumTokenUsage(known(taskRuns.inputTokens), known(taskRuns.outputTokens)),
    cost: sumCost(known(taskRuns.cost)),
  };
}

export function countRowOutcomes(
  { index }: Pick<Searchable, 'index'>,
  rows: readonly number[],
): OutcomeCounts {
  return countOutcomes(rows.flatMap((row) => index.taskRuns.outcome[row] ?? []));
}

function countCategories(values: readonly (FailureCategory | null)[]): Totals['categories'] {
  const counts = new Map<FailureCategory, number>();
  for (const value of values) {
    if (value === null || value === 'timeout' || value === 'cancelled') continue;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([category, count]) => ({ category, count }))
    .sort((one, other) => other.count - one.count);
}

function sumTokenUsage(input: readonly number[], output: readonly number[]): Totals['tokens'] {
  const reported = Math.max(input.length, output.length);
  return reported === 0 ? null : { input: sum(input), output: sum(output), reported };
}

function sumCost(values: readonly number[]): Totals['cost'] {
  return values.length === 0 ? null : { sum: sum(values), reported: values.length };
}

function sum(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Task runs of any task that did not pass for the same reason. */
export interface FailureGroup {
  category: FailureCategory;
  message: string;
  /** Places of the task runs in the columns of `index.taskRuns`. */
  rows: number[];
  /** Places of their tasks in `index.tasks`, each once. */
  tasks: number[];
}

/** Groups task runs that did not pass by reason, the most frequent first. */
export function groupFailures(
  { index: { taskRuns } }: Searchable,
  rows: readonly number[],
): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const row of rows) {
    const category = taskRuns.category[row];
    const task = taskRuns.task[row];
    // A cancelled task run has no reason that it could share with others.
    if (!category || category === 'cancelled' || task === undefined) continue;
    const message = taskRuns.message[row] ?? '';
    const key = JSON.stringify([category, message]);
    const group = groups.get(key) ?? { category, message, rows: [], tasks: [] };
    groups.set(key, group);
    group.rows.push(row);
    if (!group.tasks.includes(task)) group.tasks.push(task);
  }
  return [...groups.values()].sort((one, other) => other.rows.length - one.rows.length);
}

/**
 * Counts which assertions fail, such as `callOrder` 4 and `toolsUsed` 1, the most frequent first.
 */
export function countFailingAssertions(
  groups: readonly FailureGroup[],
): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { category, message, rows } of groups) {
    // The message of a verdict begins with the name of the assertion.
    const name = category === 'assertion-failed' ? /^(\w+):/.exec(message)?.[1] : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + rows.length);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}
