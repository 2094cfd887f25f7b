import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useKeys } from '../keyboard/use-keys.js';

/**
 * Moves the focus through a list by j and k, and by arrows once it is in there. The row to go to may
 * not exist yet: what is given back takes its link when it does.
 */
export function useListKeys(
  list: RefObject<HTMLElement | null>,
  count: number,
  rowHeight: number,
): (row: number, link: HTMLAnchorElement | null) => void {
  const wanted = useRef<number | null>(null);

  const move = (target: (from: number | undefined) => number) => () => {
    const element = list.current;
    if (!element || count === 0) return false;
    const row = Math.min(Math.max(target(focusedRow(element)), 0), count - 1);
    const link = element.querySelector<HTMLElement>(`[data-row="${row}"] a`);
    if (link) return link.focus();
    wanted.current = row;
    const top = element.getBoundingClientRect().top + scrollY;
    scrollTo(0, top + row * rowHeight - innerHeight / 2);
  };
  const step = (distance: number) =>
    move((from) => (from === undefined ? firstSeen(list.current, rowHeight) : from + distance));
  const inList = (action: () => unknown) => () =>
    list.current && focusedRow(list.current) !== undefined ? action() : false;

  useKeys({
    j: step(1),
    k: step(-1),
    ArrowDown: inList(step(1)),
    ArrowUp: inList(step(-1)),
    Home: inList(move(() => 0)),
    End: inList(move(() => count - 1)),
  });

  return (row, link) => {
    if (!link || wanted.current !== row) return;
    wanted.current = null;
    link.focus();
  };
}

function focusedRow(list: HTMLElement): number | undefined {
  const row = document.activeElement?.closest('[data-row]');
  return row && list.contains(row) ? Number(row.getAttribute('data-row')) : undefined;
}

/** The one at the top of the window, so that j goes on from what is read. */
function firstSeen(list: HTMLElement | null, rowHeight: number): number {
  const top = list?.querySelector('.virtual-rows')?.getBoundingClientRect().top ?? 0;
  return Math.max(Math.ceil(-top / rowHeight), 0);
}
