import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../base/errors.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatMoment } from '../elements/amounts.js';
import type { Page } from '../routing/hash.js';
import { getLastOverview, goTo, useScrollRestoration } from '../routing/navigation.js';
import { KeyHelp, useKeys } from './keyboard.js';
import { ThemeButton } from './theme.js';

interface PageShellProps {
  index: ReportIndex;
  page: Page;
  /** Identifies what the page shows: the address without its query. */
  place: string;
  children: ComponentChildren;
}

/** The header, navigation and footer around every page. */
export function PageShell({ index, page, place, children }: PageShellProps) {
  const [showKeys, setShowKeys] = useState(false);
  const main = useRef<HTMLElement>(null);
  useScrollRestoration(place, main);
  const compares = index.sets.length > 1;
  useKeys({
    '?': () => setShowKeys(true),
    Escape: () => (page === 'overview' ? false : goTo(getLastOverview())),
    o: () => goTo(getLastOverview()),
    t: () => goTo('#/tools'),
    c: () => (compares ? goTo('#/compare') : false),
  });
  return (
    <>
      {/* Not a link, as the fragment of the address is the route. */}
      <button type="button" class="skip-link" onClick={() => main.current?.focus()}>
        skip to the content
      </button>
      <header class="page-header">
        <div class="page-header-inner">
          <a class="brand" href="#/">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M3.5 3.5h13v13h-13zM6.5 10.5l2.5 2.5 4.5-6" />
            </svg>
            Proctor
          </a>
          <nav class="page-nav" aria-label="pages">
            <NavLink to={getLastOverview()} isCurrent={page === 'overview'} name="Overview" />
            <NavLink to="#/tools" isCurrent={page === 'tools'} name="Tools" />
            {compares && <NavLink to="#/compare" isCurrent={page === 'compare'} name="Compare" />}
          </nav>
          <div class="page-tools">
            <button
              type="button"
              class="for-keyboards"
              aria-label="keys (?)"
              title="keyboard shortcuts (?)"
              onClick={() => setShowKeys(true)}
            >
              ?
            </button>
            <ThemeButton />
          </div>
        </div>
      </header>
      <main ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer class="page-footer">
        Written {formatMoment(index.writtenAt)} by Proctor {index.proctor}
      </footer>
      <KeyHelp open={showKeys} onClose={() => setShowKeys(false)} />
    </>
  );
}

function NavLink({ to, isCurrent, name }: { to: string; isCurrent: boolean; name: string }) {
  return (
    <a href={to} aria-current={isCurrent ? 'page' : undefined}>
      {name}
    </a>
  );
}

interface PageMessageProps {
  title: string;
  children?: ComponentChildren;
}

/** A page with a title and a few words, such as an error. */
export function PageMessage({ title, children }: PageMessageProps) {
  return (
    <section class="page-message">
      <h1>{title}</h1>
      {children}
    </section>
  );
}

interface ErrorBoundaryProps {
  children: ComponentChildren;
}

/** Shows a message where a page throws, so that the window is not empty. */
export function ErrorBoundary({ children }: ErrorBoundaryProps) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <PageMessage title="This page could not be shown">
      <p>{errorMessage(error)}</p>
      <p>
        <button type="button" onClick={reset}>
          try again
        </button>{' '}
        or go back to the <a href="#/">overview</a>.
      </p>
    </PageMessage>
  );
}
