import { meanPassWithK, passWithK } from '../../analysis/summary/pass-with-k.js';
import type { FailureCategory } from '../../events/failure-categories.js';
import type { Outcome } from '../../events/task-run-events.js';
import { clusteredInterval } from '../../statistics/clustered-interval.js';
import type { Passes } from '../../statistics/passes.js';
import { wilsonInterval } from '../../statistics/wilson-interval.js';
import type { Searchable } from './searchable.js';

export type OutcomeCounts = Record<Outcome, number>;

/** Passed of judged, with the interval. Null: nothing was judged. */
export interface RateOfRows {
  passed: number;
  judged: number;
  rate: number | null;
  low: number | null;
  high: number | null;
}

/** What some task runs come to. */
export interface Totals extends RateOfRows {
  count: number;
  tasks: number;
  outcomes: OutcomeCounts;
  /** Chances that at least one of k runs passes, and that all do; means over tasks with so many. */
  passWithK: ReturnType<typeof meanPassWithK>;
  /** Why those that did not pass did not, as far as the outcome does not tell; most frequent first. */
  categories: { category: FailureCategory; count: number }[];
  durations: { p50: number; p95: number } | null;
  calls: number;
  callErrors: number;
  /** `told`: how many task runs tell of it. */
  tokens: { input: number; output: number; told: number } | null;
  cost: { sum: number; told: number } | null;
}

/** `tasks`: what the rate is made of. How runs spread over tasks decides how sure it is. */
export function totalsOf(
  { index }: Searchable,
  rows: readonly number[],
  tasks: readonly Passes[],
): Totals {
  const { taskRuns } = index;
  const outcomes = countOutcomes(taskRuns.outcome, rows);
  const passed = sumOf(tasks.map((task) => task.passed));
  const judged = sumOf(tasks.map((task) => task.judged));
  const { low = null, high = null } = clusteredInterval(tasks) ?? {};
  const known = (column: readonly (number | null)[]) => rows.flatMap((row) => column[row] ?? []);
  return {
    passed,
    judged,
    rate: judged === 0 ? null : passed / judged,
    low,
    high,
    passWithK: meanPassWithK(tasks.map(passWithK)),
    count: rows.length,
    tasks: new Set(rows.map((row) => taskRuns.task[row])).size,
    outcomes,
    categories: countCategories(rows.map((row) => taskRuns.category[row] ?? null)),
    durations: durationsOf(known(taskRuns.durationMs)),
    calls: sumOf(known(taskRuns.calls)),
    callErrors: sumOf(known(taskRuns.callErrors)),
    tokens: tokensTold(known(taskRuns.inputTokens), known(taskRuns.outputTokens)),
    cost: costTold(known(taskRuns.cost)),
  };
}

export function countOutcomes(column: readonly Outcome[], rows: readonly number[]): OutcomeCounts {
  const counts = { passed: 0, failed: 0, timeout: 0, error: 0, cancelled: 0 };
  for (const row of rows) {
    const outcome = column[row];
    if (outcome) counts[outcome] += 1;
  }
  return counts;
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

export function rateOf(outcomes: OutcomeCounts): RateOfRows {
  const { passed } = outcomes;
  const judged = passed + outcomes.failed + outcomes.timeout;
  const interval = wilsonInterval(passed, judged);
  return {
    passed,
    judged,
    rate: judged === 0 ? null : passed / judged,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  };
}

function durationsOf(values: readonly number[]): Totals['durations'] {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  return { p50: nearestRank(sorted, 0.5), p95: nearestRank(sorted, 0.95) };
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

function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? 0;
}
