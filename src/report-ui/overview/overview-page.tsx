import { useMemo } from 'preact/hooks';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatHash } from '../routing/hash.js';
import { replaceHash } from '../routing/navigation.js';
import { FailuresPanel } from './failures-panel.js';
import { FilterBar } from './filter-bar.js';
import { Histogram } from './histogram.js';
import { getOverview, type Overview } from './overview.js';
import { OverviewHead } from './overview-head.js';
import { RunList } from './run-list.js';
import { TasksPanel } from './task-matrix.js';
import { RecordedTotals, TotalsPanel } from './totals-panel.js';
import { formatView, isFiltered, parseView, type View, wholeView } from './view.js';

/** Fewer task runs make no distribution worth a histogram: the list shows them all. */
const leastInHistogram = 10;

interface OverviewPageProps {
  index: ReportIndex;
  query: URLSearchParams;
}

export function OverviewPage({ index, query }: OverviewPageProps) {
  const address = query.toString();
  const view = useMemo(() => parseView(new URLSearchParams(address)), [address]);
  const change = (changes: Partial<View>) =>
    replaceHash(formatHash('', formatView({ ...view, ...changes })));
  const unsorted = { ...view, sort: wholeView.sort, tasksBy: wholeView.tasksBy };
  const overview = getOverview(index);
  const { searchable } = overview;
  return (
    <div class="overview">
      <OverviewHead index={index} />
      <FilterBar
        overview={overview}
        view={view}
        onChange={change}
        onClear={() => change({ ...wholeView, sort: view.sort, tasksBy: view.tasksBy })}
      />
      {isFiltered(view) && (
        <p class="print-only">
          {[...formatView(unsorted)].map(([name, value]) => `${name}: ${value}`).join(', ')}
        </p>
      )}
      {index.recorded ? (
        <RecordedTotals totals={overview.totals(view)} />
      ) : (
        <Verdicts overview={overview} view={view} onChange={change} />
      )}
      <RunList
        searchable={searchable}
        rows={overview.sorted(view)}
        sort={view.sort}
        onSort={(sort) => change({ sort })}
      />
    </div>
  );
}

interface VerdictsProps {
  overview: Overview;
  view: View;
  onChange: (changes: Partial<View>) => void;
}

/**
 * Totals, failures, tasks and histograms: what only judged task runs have, and no recorded session.
 */
function Verdicts({ overview, view, onChange: change }: VerdictsProps) {
  const { searchable } = overview;
  return (
    <>
      <TotalsPanel
        totals={overview.totals(view)}
        isPart={isFiltered({ ...view, outcomes: [] })}
        isOfSomeOutcomes={view.outcomes.length > 0}
        onCategory={(text) => change({ text })}
      />
      <FailuresPanel searchable={searchable} groups={overview.failures(view)} />
      <TasksPanel
        searchable={searchable}
        tasks={overview.tasks(view)}
        order={view.tasksBy}
        onOrder={(tasksBy) => change({ tasksBy })}
      />
      {overview.rows(view).length >= leastInHistogram && (
        <div class="histograms">
          {searchable.reported.duration && (
            <Histogram title="Duration" content={overview.durations(view)} unit="milliseconds" />
          )}
          {searchable.reported.tokens && (
            <Histogram title="Tokens" content={overview.tokens(view)} unit="count" />
          )}
        </div>
      )}
    </>
  );
}
