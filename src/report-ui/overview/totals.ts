import {
  countOutcomes,
  type OutcomeCounts,
  type PassFigures,
  passFigures,
  type Rate,
} from '../../analysis/pass-rates.js';
import { spreadOf } from '../../analysis/summary/spread.js';
import type { FailureCategory } from '../../journal/task-run-events.js';
import type { Searchable } from './searchable.js';

/** What some task runs come to. */
export interface Totals extends Rate {
  count: number;
  /** Of `--rerun-failed`: shown, and in no rate. */
  leftOut: number;
  tasks: number;
  outcomes: OutcomeCounts;
  /** Of the tasks that the rate is of: how many there are, and how many passed in every run. */
  rated: Pick<PassFigures, 'tasks' | 'tasksPassed'>;
  passWithK: PassFigures['passWithK'];
  /** Why those that did not pass did not, as far as the outcome does not tell; most frequent first. */
  categories: { category: FailureCategory; count: number }[];
  durations: { p50: number; p95: number } | null;
  calls: number;
  callErrors: number;
  suspectedErrors: number;
  /** `told`: how many task runs tell of it. */
  tokens: { input: number; output: number; told: number } | null;
  cost: { sum: number; told: number } | null;
}

/** `tasks`: what the rate is made of. How runs spread over tasks decides how sure it is. */
export function totalsOf(
  searchable: Searchable,
  rows: readonly number[],
  tasks: readonly { task: number; outcomes: OutcomeCounts }[],
): Totals {
  const { taskRuns } = searchable.index;
  const figures = passFigures(tasks);
  const counting = rows.filter((row) => taskRuns.counts[row]);
  const known = (column: readonly (number | null)[]) => rows.flatMap((row) => column[row] ?? []);
  return {
    ...figures.rate,
    rated: { tasks: figures.tasks, tasksPassed: figures.tasksPassed },
    passWithK: figures.passWithK,
    count: counting.length,
    leftOut: rows.length - counting.length,
    tasks: new Set(rows.map((row) => taskRuns.task[row])).size,
    outcomes: outcomesOf(searchable, counting),
    categories: countCategories(counting.map((row) => taskRuns.category[row] ?? null)),
    durations: spreadOf(known(taskRuns.durationMs)),
    calls: sumOf(known(taskRuns.calls)),
    callErrors: sumOf(known(taskRuns.callErrors)),
    suspectedErrors: sumOf(known(taskRuns.suspectedErrors)),
    tokens: tokensTold(known(taskRuns.inputTokens), known(taskRuns.outputTokens)),
    cost: costTold(known(taskRuns.cost)),
  };
}

export function outcomesOf(
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

function tokensTold(input: readonly number[], output: readonly number[]): Totals['tokens'] {
  const told = Math.max(input.length, output.length);
  return told === 0 ? null : { input: sumOf(input), output: sumOf(output), told };
}

function costTold(values: readonly number[]): Totals['cost'] {
  return values.length === 0 ? null : { sum: sumOf(values), told: values.length };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
