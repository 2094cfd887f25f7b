import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useRef, useState } from 'preact/hooks';
import { errorMessage } from '../../base/errors.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatMoment } from '../elements/amounts.js';
import { useMedia } from '../elements/media.js';
import type { Page } from '../routing/hash.js';
import { getLastOverview, goTo, useScrollRestoration } from '../routing/navigation.js';
import { KeyHelp, useKeys } from './keyboard.js';

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

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The order in which clicks change the theme: what differs from the system's comes first. */
function orderThemes(system: 'light' | 'dark'): Theme[] {
  return system === 'light' ? ['auto', 'dark', 'light'] : ['auto', 'light', 'dark'];
}

const themeKey = 'proctor-theme';

/**
 * Reads the chosen theme. A page from a file may have no storage: then a choice lasts as long as
 * the page.
 */
function readStoredTheme(): Theme {
  try {
    const stored = localStorage.getItem(themeKey);
    return themes.find((theme) => theme === stored) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme = readStoredTheme()): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(themeKey, theme);
  } catch {
    // No storage, as above.
  }
}

const themePictures: Record<Theme, string> = {
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6a2.8 2.8 0 1 0 0-5.6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  dark: 'M13 9.8A5.6 5.6 0 0 1 6.2 3a5.6 5.6 0 1 0 6.8 6.8z',
};

/**
 * Changes the theme in a cycle. Each click is visible, but for the last one, back to the system's.
 */
function ThemeButton() {
  const [theme, setTheme] = useState(readStoredTheme);
  const cycle = orderThemes(useMedia('(prefers-color-scheme: dark)') ? 'dark' : 'light');
  const next = cycle[(cycle.indexOf(theme) + 1) % cycle.length] ?? 'auto';
  const change = () => {
    applyTheme(next);
    setTheme(next);
  };
  const label = `colours: ${theme}; change to ${next}`;
  return (
    <button type="button" class="theme" aria-label={label} title={label} onClick={change}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={themePictures[theme]} class={theme} />
      </svg>
    </button>
  );
}
