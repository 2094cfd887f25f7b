import { outcomes } from '../elements/outcomes.js';
import type { Searchable } from './searchable.js';
import type { Column, View } from './view.js';

type Value = number | string | null;

/**
 * All task runs. What is not known stands last, whichever way it is sorted; equals stay in the order
 * of names.
 */
export function sortedRows(searchable: Searchable, { column, descending }: View['sort']): number[] {
  const rows = [...searchable.texts.keys()];
  const valueIn = valuesOf(searchable, column);
  const { task, run } = searchable.index.taskRuns;
  return rows
    .map((row) => ({
      row,
      value: valueIn(row),
      rank: searchable.taskRanks[task[row] ?? -1] ?? 0,
      run: run[row] ?? 0,
    }))
    .sort(
      (one, other) =>
        compare(one.value, other.value, descending) ||
        one.rank - other.rank ||
        one.run - other.run ||
        one.row - other.row,
    )
    .map(({ row }) => row);
}

/** Some of them, in this order: so a filter does not have to sort. */
export function inOrder(order: readonly number[], rows: readonly number[]): number[] {
  const shown = new Set(rows);
  return order.filter((row) => shown.has(row));
}

function compare(one: Value, other: Value, descending: boolean): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other === descending ? 1 : -1;
}

function valuesOf(searchable: Searchable, column: Column): (row: number) => Value {
  const { taskRuns } = searchable.index;
  switch (column) {
    case 'outcome':
      return (row) => severity(searchable, row);
    case 'task':
      return (row) => searchable.taskRanks[taskRuns.task[row] ?? -1] ?? null;
    case 'run':
      return (row) => taskRuns.run[row] ?? null;
    case 'variant':
      return (row) => searchable.variants.indexOf(setOf(searchable, row)?.variant ?? '');
    case 'source':
      return (row) => setOf(searchable, row)?.source ?? null;
    case 'message':
      return (row) => taskRuns.message[row] ?? null;
    case 'duration':
      return (row) => taskRuns.durationMs[row] ?? null;
    case 'calls':
      return (row) => taskRuns.calls[row] ?? null;
    case 'tokens':
      return (row) => tokensOf(searchable, row);
    case 'cost':
      return (row) => taskRuns.cost[row] ?? null;
  }
}

function setOf({ index }: Searchable, row: number) {
  return index.sets[index.taskRuns.set[row] ?? -1];
}

/** Of the agent's model, in and out. Null: nobody told. */
export function tokensOf({ index }: Searchable, row: number): number | null {
  const input = index.taskRuns.inputTokens[row] ?? null;
  const output = index.taskRuns.outputTokens[row] ?? null;
  return input === null && output === null ? null : (input ?? 0) + (output ?? 0);
}

/** What asks for a look first is highest: failures before what could not be judged. */
function severity({ index }: Searchable, row: number): number {
  const outcome = index.taskRuns.outcome[row];
  if (!outcome || outcome === 'passed') return 0;
  return outcomes.length - outcomes.indexOf(outcome);
}
