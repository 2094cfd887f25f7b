import { countOutcomes, type OutcomeCounts } from '../../analysis/pass-rates.js';
import { RecentlyUsed } from '../data/collections.js';
import { type FilterChoices, findFilterChoices } from './filter-choices.js';
import { type HistogramBars, makeHistogramBars } from './histogram-bars.js';
import { findMatchingRows, pickInOrder, sortRows } from './rows.js';
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
