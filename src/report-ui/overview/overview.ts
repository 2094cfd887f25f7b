import { countOutcomes, type OutcomeCounts } from '../../analysis/pass-rates.js';
import { RecentlyUsed } from '../data/collections.js';
import { type FilterChoices, findFilterChoices } from './filter-choices.js';
import { type HistogramBars, makeHistogramBars } from './histogram-bars.js';
import { runColumns } from './run-columns.js';
import { makeSearchable, type Searchable, type SearchedIndex, sumTokens } from './searchable.js';
import { filterTaskRows, makeTaskRows, type TaskRow } from './task-rows.js';
import {
  countRowOutcomes,
  type FailureGroup,
  groupFailures,
  sumTotals,
  type Totals,
} from './totals.js';
import { formatView, type View, wholeView } from './view.js';

/** How many views are cached. */
const kept = 6;

/**
 * What the overview shows in a view. The last views are cached, as going back and from one task
 * run to the next asks for the same ones again.
 */
export class Overview {
  readonly searchable: Searchable;
  readonly choices: FilterChoices;
  /** Counts over all task runs, without filters. */
  readonly outcomes: OutcomeCounts;
  readonly #rows = new RecentlyUsed<string, number[]>(2 * kept);
  readonly #orders = new RecentlyUsed<string, number[]>(kept);
  readonly #sorted = new RecentlyUsed<string, number[]>(kept);
  readonly #rated = new RecentlyUsed<string, TaskRow[]>(kept);
  readonly #tasks = new RecentlyUsed<string, TaskRow[]>(kept);
  readonly #totals = new RecentlyUsed<string, Totals>(kept);
  readonly #failures = new RecentlyUsed<string, FailureGroup[]>(kept);
  readonly #bars = new RecentlyUsed<string, HistogramBars>(2 * kept);

  constructor(index: SearchedIndex) {
    this.searchable = makeSearchable(index);
    this.choices = findFilterChoices(this.searchable);
    this.outcomes = countOutcomes(index.taskRuns.outcome.filter((outcome) => outcome !== null));
  }

  /** Places of the shown task runs in `index.taskRuns`, in the order of the report. */
  rows(view: View): number[] {
    return this.#rows.get(formatFilters(view), () => findMatchingRows(this.searchable, view));
  }

  /** Places of the shown task runs, sorted as in the list. */
  sorted(view: View): number[] {
    const sort = JSON.stringify(view.sort);
    const order = this.#orders.get(sort, () => sortRows(this.searchable, view.sort));
    return this.#sorted.get(`${sort} ${formatFilters(view)}`, () =>
      pickInOrder(order, this.rows(view)),
    );
  }

  /**
   * Rows that rates are made of. The filter of outcomes does not apply, or failures alone would
   * make 0%.
   */
  rated(view: View): TaskRow[] {
    const all = withAllOutcomes(view);
    return this.#rated.get(`${view.tasksBy} ${formatFilters(all)}`, () =>
      makeTaskRows(this.searchable, this.rows(all), view.tasksBy),
    );
  }

  tasks(view: View): TaskRow[] {
    return this.#tasks.get(`${view.tasksBy} ${formatFilters(view)}`, () =>
      filterTaskRows(this.rated(view), this.rows(view)),
    );
  }

  /** Why shown task runs did not pass. */
  failures(view: View): FailureGroup[] {
    return this.#failures.get(formatFilters(view), () =>
      groupFailures(this.searchable, this.rows(view)),
    );
  }

  totals(view: View): Totals {
    return this.#totals.get(formatFilters(view), () =>
      sumTotals(this.searchable, this.rows(view), this.rated(view)),
    );
  }

  /** Counts of each outcome without the filter of outcomes. */
  outcomesIn(view: View): OutcomeCounts {
    return countRowOutcomes(this.searchable, this.rows(withAllOutcomes(view)));
  }

  durations(view: View): HistogramBars {
    const { durationMs } = this.searchable.index.taskRuns;
    return this.#histogram('duration', view, (row) => durationMs[row] ?? null);
  }

  tokens(view: View): HistogramBars {
    return this.#histogram('tokens', view, (row) => sumTokens(this.searchable, row));
  }

  #histogram(name: string, view: View, readAmount: (row: number) => number | null): HistogramBars {
    return this.#bars.get(`${name} ${formatFilters(view)}`, () =>
      makeHistogramBars(this.searchable, this.rows(view), readAmount),
    );
  }
}

const overviews = new WeakMap<SearchedIndex, Overview>();

/** The overview of a report, made once. */
export function getOverview(index: SearchedIndex): Overview {
  const known = overviews.get(index);
  if (known) return known;
  const made = new Overview(index);
  overviews.set(index, made);
  return made;
}

function withAllOutcomes(view: View): View {
  return { ...view, outcomes: [] };
}

/** A cache key of what decides which task runs are shown. */
function formatFilters(view: View): string {
  return formatView({ ...view, sort: wholeView.sort, tasksBy: wholeView.tasksBy }).toString();
}

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
