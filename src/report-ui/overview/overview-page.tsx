import { useMemo, useState } from 'preact/hooks';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { formatHash, formatRunLink } from '../routing/hash.js';
import { replaceHash } from '../routing/navigation.js';
import { FilterBar } from './filter-bar.js';
import { Histogram } from './histogram.js';
import { getOverview, type Overview } from './overview.js';
import { OverviewHead } from './overview-head.js';
import { RunList } from './run-list.js';
import type { Searchable } from './searchable.js';
import { TasksPanel } from './task-matrix.js';
import { countFailingAssertions, type FailureGroup } from './totals.js';
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

interface FailuresPanelProps {
  searchable: Searchable;
  groups: readonly FailureGroup[];
}

const shownAtFirst = 8;
const mostTasks = 4;

/** Why task runs did not pass, grouped by reason. Renders nothing where all passed. */
function FailuresPanel({ searchable, groups }: FailuresPanelProps) {
  const [showsAll, showAll] = useState(false);
  const printing = usePrinting();
  if (groups.length === 0) return null;
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const assertions = countFailingAssertions(groups);
  const shown = showsAll || printing ? groups : groups.slice(0, shownAtFirst);
  return (
    <section class="panel failures" aria-labelledby="failures-title">
      <div class="panel-title">
        <h2 id="failures-title">Did not pass</h2>
        <span class="quiet">
          {formatPlural(count, 'task run')}
          {assertions.length > 0 &&
            `; assertions: ${assertions.map(([name, times]) => `${name} ×${times}`).join(', ')}`}
        </span>
      </div>
      <ul class="failure-groups">
        {shown.map((group) => (
          <FailureLine
            key={`${group.category} ${group.message}`}
            searchable={searchable}
            group={group}
          />
        ))}
      </ul>
      {shown.length < groups.length && (
        <button type="button" class="more" onClick={() => showAll(true)}>
          Show all {formatCount(groups.length)} reasons
        </button>
      )}
    </section>
  );
}

function FailureLine({ searchable, group }: { searchable: Searchable; group: FailureGroup }) {
  const { index } = searchable;
  const { category, message, rows, tasks } = group;
  const names = tasks.slice(0, mostTasks).map((task) => formatName(index.tasks[task]?.name ?? ''));
  const more = tasks.length > mostTasks ? ` and ${tasks.length - mostTasks} more` : '';
  return (
    <li>
      <a href={formatRunLink(index, rows[0] ?? 0)}>
        <strong>{category}</strong> {message}
      </a>{' '}
      {rows.length > 1 && <strong class="failure-times">×{formatCount(rows.length)}</strong>}{' '}
      <span class="quiet">
        <bdi>{names.join(', ')}</bdi>
        {more}
      </span>
    </li>
  );
}
