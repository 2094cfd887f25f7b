import {
  computeRate,
  countPasses,
  isFlaky,
  type OutcomeCounts,
  type Rate,
} from '../../analysis/pass-rates.js';
import type { Searchable } from './searchable.js';
import { tokensOf } from './sorted-rows.js';
import { outcomesOf } from './totals.js';
import type { TaskOrder } from './view.js';

/** A task, of one set, with those of its runs that the view shows. */
export interface TaskRow extends Rate {
  set: number;
  task: number;
  /** Of those that count. */
  outcomes: OutcomeCounts;
  /** Some judged runs passed, and some did not. */
  flaky: boolean;
  /** By turn; undefined: filtered out. */
  cells: (number | undefined)[];
  /** Means. Null: nobody told. */
  duration: number | null;
  tokens: number | null;
}

export function taskRows(
  searchable: Searchable,
  rows: readonly number[],
  order: TaskOrder,
): TaskRow[] {
  const { set, task } = searchable.index.taskRuns;
  const groups = new Map<number, number[]>();
  const sets = searchable.index.sets.length;
  for (const row of rows) {
    const key = (task[row] ?? 0) * sets + (set[row] ?? 0);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const made = [...groups].map(([key, group]) =>
    taskRow(searchable, { task: Math.floor(key / sets), set: key % sets }, group),
  );
  return byTask(made.sort(comparisonFor(searchable, order)));
}

/** The rows of a task together, where the first of them stands, and in the order of the sets. */
function byTask(rows: readonly TaskRow[]): TaskRow[] {
  const groups = new Map<number, TaskRow[]>();
  for (const row of rows) {
    const group = groups.get(row.task);
    if (group) group.push(row);
    else groups.set(row.task, [row]);
  }
  return [...groups.values()].flatMap((group) => group.sort((one, other) => one.set - other.set));
}

/** The tasks that have some of these task runs, with those alone; what they come to stays. */
export function tasksWith(tasks: readonly TaskRow[], rows: readonly number[]): TaskRow[] {
  const shown = new Set(rows);
  return tasks.flatMap((task) => {
    const cells = task.cells.map((row) => (row !== undefined && shown.has(row) ? row : undefined));
    return cells.some((row) => row !== undefined) ? [{ ...task, cells }] : [];
  });
}

function taskRow(
  searchable: Searchable,
  of: { task: number; set: number },
  rows: readonly number[],
): TaskRow {
  const { counts, durationMs } = searchable.index.taskRuns;
  const cells: TaskRow['cells'] = [];
  for (const row of rows) cells[searchable.turns[row] ?? 0] = row;
  const outcomes = outcomesOf(
    searchable,
    rows.filter((row) => counts[row]),
  );
  const passes = countPasses(outcomes);
  return {
    ...of,
    ...computeRate(passes),
    outcomes,
    flaky: isFlaky(passes),
    cells,
    duration: meanOfKnown(rows.map((row) => durationMs[row] ?? null)),
    tokens: meanOfKnown(rows.map((row) => tokensOf(searchable, row))),
  };
}

function meanOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

type Comparison = (one: TaskRow, other: TaskRow) => number;

function comparisonFor({ taskRanks }: Searchable, order: TaskOrder): Comparison {
  const byName: Comparison = (one, other) =>
    (taskRanks[one.task] ?? 0) - (taskRanks[other.task] ?? 0) || one.set - other.set;
  switch (order) {
    case 'name':
      return byName;
    case 'rate':
      // Of those with the same rate, the one that is known best comes first.
      return (one, other) =>
        ascending(one.rate, other.rate) || other.judged - one.judged || byName(one, other);
    case 'duration':
      return (one, other) => descending(one.duration, other.duration) || byName(one, other);
    case 'tokens':
      return (one, other) => descending(one.tokens, other.tokens) || byName(one, other);
  }
}

/** Null is last, either way. */
function ascending(one: number | null, other: number | null): number {
  return (one ?? Number.MAX_VALUE) - (other ?? Number.MAX_VALUE);
}

function descending(one: number | null, other: number | null): number {
  return (other ?? -1) - (one ?? -1);
}
