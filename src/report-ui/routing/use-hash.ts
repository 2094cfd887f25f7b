import { useEffect, useState } from 'preact/hooks';
import { parseHash, type Route } from './hash.js';
import { noteOverview } from './last-overview.js';

const listeners = new Set<() => void>();
let current = location.hash;
noteOverview(current);

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
  try {
    history.replaceState(history.state, '', hash);
  } catch {
    // Safari allows a hundred changes in 30 seconds; the next one brings the address up to date.
  }
  tellAll();
}

/** Another page, or a place to come back from. */
export function goTo(hash: string): void {
  location.hash = hash;
  follow();
}

/** What the address says, which a busy page may not know yet: the next key goes on from there. */
export function currentRoute(): Route {
  return parseHash(location.hash);
}

addEventListener('hashchange', follow);

function follow(): void {
  current = location.hash;
  tellAll();
}

function tellAll(): void {
  noteOverview(current);
  for (const listener of listeners) listener();
}
