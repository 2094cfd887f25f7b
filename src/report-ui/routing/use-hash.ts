import { useEffect, useState } from 'preact/hooks';
import { parseHash, type Route } from './hash.js';
import { addToHistoryState, historyState } from './history-state.js';
import { lastOverview, noteOverview } from './last-overview.js';

const listeners = new Set<() => void>();
let current = location.hash;
keepOverview();

/** The address is what pages keep their state in: a link restores the view. */
export function useRoute(): Route {
  const [hash, setHash] = useState(current);
  useEffect(() => {
    const update = () => setHash(current);
    update();
    listeners.add(update);
    return () => void listeners.delete(update);
  }, []);
  return parseHash(hash);
}

/** Another state of the same page: no step for the way back. */
export function replaceHash(hash: string): void {
  current = hash;
  addToHistoryState({}, hash);
  tellAll();
}

/** Another page, or a place to come back from. */
export function goTo(hash: string): void {
  location.hash = hash;
  follow();
}

/** Another place on the same page: the way back leads to where one was. */
export function jumpTo(hash: string): void {
  addToHistoryState({ scrolledTo: scrollY });
  goTo(hash);
}

/** What the address says, which a busy page may not know yet: the next key goes on from there. */
export function currentRoute(): Route {
  return parseHash(location.hash);
}

addEventListener('hashchange', follow);

function follow(): void {
  current = location.hash;
  keepOverview();
  tellAll();
}

/** Whoever comes back to a page, or loads it again, came to it from the same overview. */
function keepOverview(): void {
  const { overview } = historyState();
  if (overview !== undefined) noteOverview(overview);
  noteOverview(current);
  if (overview === undefined) addToHistoryState({ overview: lastOverview() });
}

function tellAll(): void {
  noteOverview(current);
  for (const listener of listeners) listener();
}
