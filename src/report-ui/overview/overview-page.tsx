import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatHash } from '../routing/hash.js';
import { noteReadingOrder } from '../routing/reading-order.js';
import { replaceHash } from '../routing/use-hash.js';
import { FilterBar } from './filter-bar.js';
import { Histogram } from './histogram.js';
import { matchingRows } from './matching-rows.js';
import { OverviewHead } from './overview-head.js';
import { RunList } from './run-list.js';
import { searchable as makeSearchable, type Searchable } from './searchable.js';
import { inOrder, sortedRows, tokensOf } from './sorted-rows.js';
import { type TaskRow, taskRows, tasksWith } from './task-rows.js';
import { TasksPanel } from './tasks-panel.js';
import { totalsOf } from './totals.js';
import { TotalsPanel } from './totals-panel.js';
import { formatView, isFiltered, parseView, type View, wholeView } from './view.js';

interface OverviewPageProps {
  index: ReportIndex;
  query: URLSearchParams;
}

export function OverviewPage({ index, query }: OverviewPageProps) {
  const address = query.toString();
  const view = useMemo(() => parseView(new URLSearchParams(address)), [address]);
  const change = (changes: Partial<View>) =>
    replaceHash(formatHash('', formatView({ ...view, ...changes })));
  const searchable = useMemo(() => makeSearchable(index), [index]);
  const filters = formatView({ ...view, sort: wholeView.sort, tasksBy: wholeView.tasksBy });
  const rows = useMemo(() => matchingRows(searchable, view), [searchable, filters.toString()]);
  const rated = useRatedTasks(searchable, view);
  const order = useMemo(
    () => sortedRows(searchable, view.sort),
    [searchable, view.sort.column, view.sort.descending],
  );
  const sorted = useMemo(() => inOrder(order, rows), [order, rows]);
  useLayoutEffect(() => noteReadingOrder(sorted), [sorted]);
  const tasks = useMemo(() => tasksWith(rated, rows), [rated, rows]);
  const totals = useMemo(() => totalsOf(searchable, rows, rated), [searchable, rows, rated]);
  const { durationMs } = index.taskRuns;
  return (
    <div class="overview">
      <OverviewHead index={index} />
      <FilterBar
        searchable={searchable}
        view={view}
        shown={rows.length}
        onChange={change}
        onClear={() => change({ ...wholeView, sort: view.sort, tasksBy: view.tasksBy })}
      />
      {isFiltered(view) && (
        <p class="print-only">
          {[...filters].map(([name, value]) => `${name}: ${value}`).join(', ')}
        </p>
      )}
      <TotalsPanel
        totals={totals}
        isPart={isFiltered({ ...view, outcomes: [] })}
        isOfSomeOutcomes={view.outcomes.length > 0}
        onCategory={(text) => change({ text })}
      />
      <div class="histograms">
        {searchable.told.duration && (
          <Histogram
            title="Duration"
            searchable={searchable}
            rows={rows}
            amountOf={(row) => durationMs[row] ?? null}
            unit="milliseconds"
          />
        )}
        {searchable.told.tokens && (
          <Histogram
            title="Tokens"
            searchable={searchable}
            rows={rows}
            amountOf={(row) => tokensOf(searchable, row)}
            unit="count"
          />
        )}
      </div>
      <TasksPanel
        searchable={searchable}
        tasks={tasks}
        order={view.tasksBy}
        onOrder={(tasksBy) => change({ tasksBy })}
      />
      <RunList
        searchable={searchable}
        rows={sorted}
        sort={view.sort}
        onSort={(sort) => change({ sort })}
      />
    </div>
  );
}

/** To look at failures alone must not make a rate of nothing: outcomes are shown or not, and count. */
function useRatedTasks(searchable: Searchable, view: View): TaskRow[] {
  const ofAllOutcomes = { ...view, outcomes: [], sort: wholeView.sort };
  return useMemo(
    () => taskRows(searchable, matchingRows(searchable, ofAllOutcomes), view.tasksBy),
    [searchable, formatView(ofAllOutcomes).toString()],
  );
}
