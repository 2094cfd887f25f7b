import { runColumns } from './run-columns.js';
import type { Searchable } from './searchable.js';
import type { View } from './view.js';

/** Places in the columns of the task runs that a view shows, in the order of the report. */
export function findMatchingRows(searchable: Searchable, view: View): number[] {
  const { index, count } = searchable;
  const { set, task, outcome } = index.taskRuns;
  const shownSets = findMatchingSets(searchable, view);
  const shownOutcomes = new Set(view.outcomes);
  const shownTasks = findMatchingTasks(searchable, view);
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const usesTool = makeToolFilter(searchable, view);
  const rows: number[] = [];
  for (let row = 0; row < count; row++) {
    if (shownSets && !shownSets.has(set[row] ?? -1)) continue;
    const result = outcome[row];
    if (shownOutcomes.size > 0 && !(result && shownOutcomes.has(result))) continue;
    if (shownTasks && !shownTasks.has(task[row] ?? -1)) continue;
    if (usesTool && !usesTool(row)) continue;
    if (words.length > 0 && !includesAll(searchable.texts[row] ?? '', words)) continue;
    rows.push(row);
  }
  return rows;
}

function includesAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Places that match; undefined: all match. */
function findMatchingSets(
  { index }: Searchable,
  { source, variant }: View,
): Set<number> | undefined {
  if (source === null && variant === null) return undefined;
  const places = index.sets.flatMap((set, place) => {
    const isWanted =
      (source === null || set.source === source) && (variant === null || set.variant === variant);
    return isWanted ? [place] : [];
  });
  return new Set(places);
}

/** Places that match; undefined: all match. */
function findMatchingTasks({ index, taskLabels }: Searchable, view: View): Set<number> | undefined {
  const { difficulty, label } = view;
  if (difficulty === null && label === null) return undefined;
  const places = [...index.tasks.keys()];
  return new Set(
    places.filter(
      (place) =>
        (difficulty === null || index.tasks[place]?.difficulty === difficulty) &&
        (label === null || taskLabels[place]?.has(label)),
    ),
  );
}

function makeToolFilter(
  searchable: Searchable,
  view: View,
): ((row: number) => boolean) | undefined {
  if (view.server === null && view.tool === null) return undefined;
  const wanted = new Set(
    [...searchable.index.tools.keys()].filter(
      (place) =>
        (view.server === null || searchable.toolServers[place] === view.server) &&
        (view.tool === null || searchable.toolNames[place] === view.tool),
    ),
  );
  const { tools } = searchable.index.taskRuns;
  return (row) => tools[row]?.some((tool) => wanted.has(tool)) === true;
}

type Value = number | string | null;

/**
 * Sorts all task runs by a column. Values that are not known are last in both directions; equals
 * are in the order of names.
 */
export function sortRows(searchable: Searchable, { column, descending }: View['sort']): number[] {
  const rows = [...searchable.texts.keys()];
  const { value } = runColumns[column];
  const { task, run } = searchable.index.taskRuns;
  return rows
    .map((row) => ({
      row,
      value: value(searchable, row),
      rank: searchable.taskRanks[task[row] ?? -1] ?? 0,
      run: run[row] ?? 0,
    }))
    .sort(
      (one, other) =>
        compareValues(one.value, other.value, descending) ||
        one.rank - other.rank ||
        one.run - other.run ||
        one.row - other.row,
    )
    .map(({ row }) => row);
}

/** Picks rows from a sorted list, so that a filter does not have to sort again. */
export function pickInOrder(order: readonly number[], rows: readonly number[]): number[] {
  const shown = new Set(rows);
  return order.filter((row) => shown.has(row));
}

function compareValues(one: Value, other: Value, descending: boolean): number {
  if (one === other) return 0;
  if (one === null) return 1;
  if (other === null) return -1;
  return one < other === descending ? 1 : -1;
}
