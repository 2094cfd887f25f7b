import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const positions = new Map<string, number>();
/** By place, a selector of the link that had the focus last. */
const links = new Map<string, string>();

/**
 * A page that one comes back to is where it was left, with the focus on the link that led away;
 * another begins at its top.
 */
export function usePlaceMemory(place: string, main: RefObject<HTMLElement | null>): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    history.scrollRestoration = 'manual';
    if (!isFirst.current) {
      scrollTo(0, positions.get(place) ?? 0);
      restoreFocus(main.current, links.get(place));
    }
    isFirst.current = false;
    const keepPosition = () => void positions.set(place, scrollY);
    const keepLink = ({ target }: FocusEvent) => {
      if (target instanceof HTMLAnchorElement) links.set(place, selectorOf(target));
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
  if (main && link !== undefined) focusInAFrame(main, link, 20);
}

/** A list makes the rows that are seen after it was scrolled, which takes some frames. */
function focusInAFrame(main: HTMLElement, link: string, frames: number): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== main) return;
    const found = main.querySelector<HTMLElement>(link);
    if (found && isSeen(found)) found.focus({ preventScroll: true });
    else if (frames > 0) focusInAFrame(main, link, frames - 1);
  });
}

function isSeen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top < innerHeight && bottom > 0;
}

/** Two tables can have the same link. */
function selectorOf(link: HTMLAnchorElement): string {
  const table = link.closest('table')?.classList[0];
  const own = `a[href="${CSS.escape(link.getAttribute('href') ?? '')}"]`;
  return table === undefined ? own : `.${CSS.escape(table)} ${own}`;
}
