import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isObject } from '../../base/json.js';
import { focusWhenRendered } from '../shell/keyboard.js';
import { parseHash, type Route } from './hash.js';

const listeners = new Set<() => void>();
let currentHash = location.hash;
/** The overview as it was left, with its filters. */
let overviewHash = '#/';

restoreOverview();
addEventListener('hashchange', followHash);

/** The current route. Pages keep their state in the address, so that a link restores the view. */
export function useRoute(): Route {
  const [hash, setHash] = useState(currentHash);
  useEffect(() => {
    const update = () => setHash(currentHash);
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return parseHash(hash);
}

/**
 * The route that the address has now. A component that is still to be rendered may have an older
 * one, and the next key must continue from here.
 */
export function getCurrentRoute(): Route {
  return parseHash(location.hash);
}

/** The address of the overview as it was left, with its filters. */
export function getLastOverview(): string {
  return overviewHash;
}

/** Shows another state of the same page, without an entry in the history. */
export function replaceHash(hash: string): void {
  currentHash = hash;
  addToHistoryState({}, hash);
  notifyListeners();
}

/** Goes to another page, or to a place to come back from. */
export function goTo(hash: string): void {
  location.hash = hash;
  followHash();
}

/** Goes to another place on the same page; back leads to where it was scrolled to. */
export function jumpTo(hash: string): void {
  addToHistoryState({ scrolledTo: scrollY });
  goTo(hash);
}

function followHash(): void {
  currentHash = location.hash;
  restoreOverview();
  notifyListeners();
}

/** After back or a reload, the overview is the one that led to this entry of the history. */
function restoreOverview(): void {
  const { overview } = readHistoryState();
  if (overview !== undefined) rememberOverview(overview);
  rememberOverview(currentHash);
  if (overview === undefined) addToHistoryState({ overview: overviewHash });
}

function rememberOverview(hash: string): void {
  if (parseHash(hash).page === 'overview') overviewHash = hash === '' ? '#/' : hash;
}

function notifyListeners(): void {
  rememberOverview(currentHash);
  for (const listener of listeners) listener();
}

/** What the browser keeps with an entry of the history, also when the page is loaded again. */
interface HistoryState {
  /** The overview as it was left: its filters decide which task run is the next one. */
  overview?: string;
  /** Where the page was scrolled to before a jump. */
  scrolledTo?: number;
}

export function readHistoryState(): HistoryState {
  const state: unknown = history.state;
  const { overview, scrolledTo } = isObject(state) ? state : {};
  return {
    ...(typeof overview === 'string' && { overview }),
    ...(typeof scrolledTo === 'number' && { scrolledTo }),
  };
}

function addToHistoryState(added: HistoryState, hash = location.hash): void {
  try {
    history.replaceState({ ...readHistoryState(), ...added }, '', hash);
  } catch {
    // Safari allows a hundred changes in 30 seconds; the next one brings it up to date.
  }
}

const scrollPositions = new Map<string, number>();
/** By place, a selector of the link that had the focus last. */
const focusedLinks = new Map<string, string>();

/**
 * Restores where a page was scrolled to, and puts the focus on the link that led away; a new page
 * begins at its top. The browser cannot do it: it restores the position before the page is
 * rendered, not at all after Esc or a link back, and never the focus.
 */
export function useScrollRestoration(place: string, main: RefObject<HTMLElement | null>): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    if (!isFirst.current) {
      scrollTo(0, scrollPositions.get(place) ?? 0);
      restoreFocus(main.current, focusedLinks.get(place));
    }
    isFirst.current = false;
    const keepPosition = () => void scrollPositions.set(place, scrollY);
    const keepLink = ({ target }: FocusEvent) => {
      if (target instanceof HTMLAnchorElement) focusedLinks.set(place, formatSelector(target));
    };
    addEventListener('scroll', keepPosition, { passive: true });
    addEventListener('focusin', keepLink);
    return () => {
      removeEventListener('scroll', keepPosition);
      removeEventListener('focusin', keepLink);
    };
  }, [place, main]);
}

function restoreFocus(main: HTMLElement | null, link: string | undefined): void {
  main?.focus({ preventScroll: true });
  if (!main || link === undefined) return;
  focusWhenRendered(() => {
    // Nothing is found once the reader has gone on.
    const found = document.activeElement === main && main.querySelector<HTMLElement>(link);
    return found && isInWindow(found) ? found : null;
  });
}

function isInWindow(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

/** Names a link by its address and its table, as two tables can have the same link. */
function formatSelector(link: HTMLAnchorElement): string {
  const table = link.closest('table')?.classList[0];
  const selector = `a[href="${CSS.escape(link.getAttribute('href') ?? '')}"]`;
  return table === undefined ? selector : `.${CSS.escape(table)} ${selector}`;
}
