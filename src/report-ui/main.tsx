import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { errorMessage } from '../base/errors.js';
import { type ReportIndex, rootElementId } from '../report-data/report-data.js';
import { ComparePage } from './compare/compare-page.js';
import { readIndex } from './data/report-reader.js';
import { OverviewPage } from './overview/overview-page.js';
import type { Route } from './routing/hash.js';
import { findRun, formatRunName } from './routing/hash.js';
import { useRoute } from './routing/navigation.js';
import { applyTheme, ErrorBoundary, PageMessage, PageShell } from './shell/page-shell.js';
import { TaskRunPage } from './task-run/task-run-page.js';
import { ToolsPage } from './tools/tools-page.js';

const root = document.getElementById(rootElementId);
applyTheme();
if (root) void start(root);

async function start(root: HTMLElement): Promise<void> {
  try {
    const index = await readIndex();
    root.replaceChildren();
    render(<App index={index} />, root);
  } catch (error) {
    root.replaceChildren();
    render(
      <main>
        <PageMessage title="This report cannot be shown">
          <p>{errorMessage(error)}</p>
        </PageMessage>
      </main>,
      root,
    );
  }
}

function App({ index }: { index: ReportIndex }) {
  const route = useRoute();
  const place = [route.page, ...route.parts].join('/');
  useEffect(() => {
    document.title = formatTitle(route, index);
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
  const run = route.page === 'run' ? findRun(index, route.parts) : undefined;
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

function formatTitle({ page, parts }: Route, index: ReportIndex): string {
  const { title } = index;
  const run = page === 'run' ? findRun(index, parts) : undefined;
  if (run !== undefined) return `${formatRunName(index, run)} · ${title}`;
  if (page === 'tools') return `Tools · ${title}`;
  if (page === 'compare') return `Compare · ${title}`;
  return title;
}
