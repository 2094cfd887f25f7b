import { useEffect } from 'preact/hooks';
import type { ReportIndex } from '../report-data/report-data.js';
import { ComparePage } from './compare/compare-page.js';
import { OverviewPage } from './overview/overview-page.js';
import type { Route } from './routing/hash.js';
import { placeOfRun } from './routing/run-links.js';
import { nameOfRun } from './routing/run-names.js';
import { useRoute } from './routing/use-hash.js';
import { ErrorBoundary } from './shell/error-boundary.js';
import { PageMessage } from './shell/page-message.js';
import { PageShell } from './shell/page-shell.js';
import { TaskRunPage } from './task-run/task-run-page.js';
import { ToolsPage } from './tools/tools-page.js';

export function App({ index }: { index: ReportIndex }) {
  const route = useRoute();
  const place = [route.page, ...route.parts].join('/');
  useEffect(() => {
    document.title = titleOf(route, index);
  }, [place, index]);
  return (
    <PageShell index={index} page={route.page} place={place}>
      <ErrorBoundary key={place}>
        <CurrentPage index={index} route={route} />
      </ErrorBoundary>
    </PageShell>
  );
}

function CurrentPage({ index, route }: { index: ReportIndex; route: Route }) {
  if (route.page === 'overview') return <OverviewPage index={index} query={route.query} />;
  if (route.page === 'tools') return <ToolsPage index={index} />;
  if (route.page === 'compare') return <ComparePage index={index} />;
  const run = route.page === 'run' ? placeOfRun(index, route.parts) : undefined;
  if (run !== undefined) return <TaskRunPage index={index} place={run} />;
  return (
    <PageMessage title="Not in this report">
      <p>
        The address names something that this report does not have. Go to the{' '}
        <a href="#/">overview</a>.
      </p>
    </PageMessage>
  );
}

function titleOf({ page, parts }: Route, index: ReportIndex): string {
  const { title } = index;
  const run = page === 'run' ? placeOfRun(index, parts) : undefined;
  if (run !== undefined) return `${nameOfRun(index, run)} · ${title}`;
  if (page === 'tools') return `Tools · ${title}`;
  if (page === 'compare') return `Compare · ${title}`;
  return title;
}
