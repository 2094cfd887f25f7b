import { countOutcomes, type OutcomeCounts } from '../../analysis/pass-rates.js';
import { RecentlyUsed } from '../data/recently-used.js';
import { choicesOf, type FilterChoices } from './filter-choices.js';
import { type HistogramBars, histogramBars } from './histogram-bars.js';
import { inOrder, matchingRows, sortedRows, tokensOf } from './rows.js';
import { type Searchable, type SearchedIndex, searchable } from './searchable.js';
import { type TaskRow, taskRows, tasksWith } from './task-rows.js';
import { type FailureGroup, failureGroups, outcomesOf, type Totals, totalsOf } from './totals.js';
import { formatView, type View, wholeView } from './view.js';

/** Views whose content is kept. */
const kept = 6;

/**
 * What the overview shows in a view. The last ones are kept, wherever the reader went in between: the
 * way back, and from one task run to the next, leads through the same views again and again.
 */
export class Overview {
  readonly searchable: Searchable;
  readonly choices: FilterChoices;
  /** Of all task runs. */
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
    this.searchable = searchable(index);
    this.choices = choicesOf(this.searchable);
    this.outcomes = countOutcomes(index.taskRuns.outcome.filter((outcome) => outcome !== null));
  }

  /** Places in the columns, in the order of the report. */
  rows(view: View): number[] {
    return this.#rows.get(filtersOf(view), () => matchingRows(this.searchable, view));
  }

  /** The same, sorted as the list of task runs is. */
  sorted(view: View): number[] {
    const sort = JSON.stringify(view.sort);
    const order = this.#orders.get(sort, () => sortedRows(this.searchable, view.sort));
    return this.#sorted.get(`${sort} ${filtersOf(view)}`, () => inOrder(order, this.rows(view)));
  }

  /** To look at failures alone must not make a rate of nothing: outcomes are shown or not, and count. */
  rated(view: View): TaskRow[] {
    const all = ofAllOutcomes(view);
    return this.#rated.get(`${view.tasksBy} ${filtersOf(all)}`, () =>
      taskRows(this.searchable, this.rows(all), view.tasksBy),
    );
  }

  tasks(view: View): TaskRow[] {
    return this.#tasks.get(`${view.tasksBy} ${filtersOf(view)}`, () =>
      tasksWith(this.rated(view), this.rows(view)),
    );
  }

  /** Why what the view shows did not pass. */
  failures(view: View): FailureGroup[] {
    return this.#failures.get(filtersOf(view), () =>
      failureGroups(this.searchable, this.rows(view)),
    );
  }

  totals(view: View): Totals {
    return this.#totals.get(filtersOf(view), () =>
      totalsOf(this.searchable, this.rows(view), this.rated(view)),
    );
  }

  /** How many there would be of each outcome, whichever are shown. */
  outcomesIn(view: View): OutcomeCounts {
    return outcomesOf(this.searchable, this.rows(ofAllOutcomes(view)));
  }

  durations(view: View): HistogramBars {
    const { durationMs } = this.searchable.index.taskRuns;
    return this.#histogram('duration', view, (row) => durationMs[row] ?? null);
  }

  tokens(view: View): HistogramBars {
    return this.#histogram('tokens', view, (row) => tokensOf(this.searchable, row));
  }

  #histogram(name: string, view: View, amountOf: (row: number) => number | null): HistogramBars {
    return this.#bars.get(`${name} ${filtersOf(view)}`, () =>
      histogramBars(this.searchable, this.rows(view), amountOf),
    );
  }
}

const overviews = new WeakMap<SearchedIndex, Overview>();

/** The one of a report. */
export function overviewOf(index: SearchedIndex): Overview {
  const known = overviews.get(index);
  if (known) return known;
  const made = new Overview(index);
  overviews.set(index, made);
  return made;
}

function ofAllOutcomes(view: View): View {
  return { ...view, outcomes: [] };
}

/** What decides which task runs are shown. */
function filtersOf(view: View): string {
  return formatView({ ...view, sort: wholeView.sort, tasksBy: wholeView.tasksBy }).toString();
}
