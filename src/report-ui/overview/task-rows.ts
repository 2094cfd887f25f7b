import {
  computeRate,
  countPasses,
  isFlaky,
  type OutcomeCounts,
  type Rate,
} from '../../analysis/pass-rates.js';
import { groupBy } from '../data/collections.js';
import { type Searchable, sumTokens } from './searchable.js';
import { countRowOutcomes } from './totals.js';
import type { TaskOrder } from './view.js';

/** A row of the matrix: a task in one set, with those of its runs that the view shows. */
export interface TaskRow extends Rate {
  set: number;
  task: number;
  /** Outcomes of the runs that count in the rate. */
  outcomes: OutcomeCounts;
  /** Some judged runs passed, and some did not. */
  flaky: boolean;
  /** Places of its runs in `index.taskRuns`, by turn; undefined: filtered out. */
  cells: (number | undefined)[];
  /** Mean of the runs, as `tokens`; null: not reported. */
  duration: number | null;
  tokens: number | null;
}

export function makeTaskRows(
  searchable: Searchable,
  rows: readonly number[],
  order: TaskOrder,
): TaskRow[] {
  const { set, task } = searchable.index.taskRuns;
  const sets = searchable.index.sets.length;
  const groups = groupBy(rows, (row) => (task[row] ?? 0) * sets + (set[row] ?? 0));
  const made = [...groups].map(([key, group]) =>
    makeTaskRow(searchable, { task: Math.floor(key / sets), set: key % sets }, group),
  );
  return groupByTask(made.sort(getComparison(searchable, order)));
}

/** Puts the rows of a task together at the place of the first of them, in the order of the sets. */
function groupByTask(rows: readonly TaskRow[]): TaskRow[] {
  const groups = [...groupBy(rows, ({ task }) => task).values()];
  return groups.flatMap((group) => group.sort((one, other) => one.set - other.set));
}

/** Keeps the given task runs, and the tasks that have some of them; rates stay as they are. */
export function filterTaskRows(tasks: readonly TaskRow[], rows: readonly number[]): TaskRow[] {
  const shown = new Set(rows);
  return tasks.flatMap((task) => {
    const cells = task.cells.map((row) => (row !== undefined && shown.has(row) ? row : undefined));
    return cells.some((row) => row !== undefined) ? [{ ...task, cells }] : [];
  });
}

function makeTaskRow(
  searchable: Searchable,
  owner: { task: number; set: number },
  rows: readonly number[],
): TaskRow {
  const { counts, durationMs } = searchable.index.taskRuns;
  const cells: TaskRow['cells'] = [];
  for (const row of rows) cells[searchable.turns[row] ?? 0] = row;
  const outcomes = countRowOutcomes(
    searchable,
    rows.filter((row) => counts[row]),
  );
  const passes = countPasses(outcomes);
  return {
    ...owner,
    ...computeRate(passes),
    outcomes,
    flaky: isFlaky(passes),
    cells,
    duration: averageKnown(rows.map((row) => durationMs[row] ?? null)),
    tokens: averageKnown(rows.map((row) => sumTokens(searchable, row))),
  };
}

function averageKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}

type Comparison = (one: TaskRow, other: TaskRow) => number;

function getComparison({ taskRanks }: Searchable, order: TaskOrder): Comparison {
  const byName: Comparison = (one, other) =>
    (taskRanks[one.task] ?? 0) - (taskRanks[other.task] ?? 0) || one.set - other.set;
  switch (order) {
    case 'name':
      return byName;
    case 'rate':
      // Among equal rates, the one of most judged runs comes first.
      return (one, other) =>
        compareAscending(one.rate, other.rate) || other.judged - one.judged || byName(one, other);
    case 'duration':
      return (one, other) => compareDescending(one.duration, other.duration) || byName(one, other);
    case 'tokens':
      return (one, other) => compareDescending(one.tokens, other.tokens) || byName(one, other);
  }
}

/** Sorts null last, as compareDescending does. */
function compareAscending(one: number | null, other: number | null): number {
  return (one ?? Number.MAX_VALUE) - (other ?? Number.MAX_VALUE);
}

function compareDescending(one: number | null, other: number | null): number {
  return (other ?? -1) - (one ?? -1);
}
