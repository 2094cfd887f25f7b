import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** What can be seen of an element, in pixels from its own corner. */
export interface Seen {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** Until it is known; too little is put right before anybody sees it, too much was made for nothing. */
const firstGuess: Seen = { top: 0, bottom: 560, left: 0, right: 2000 };

/** Somewhat more than is seen, in steps: most of scrolling changes nothing. */
const step = 120;

/**
 * Follows what can be seen of an element while the page, or what it lies in, scrolls. While the page
 * is printed, so much of its beginning counts as seen: a browser freezes over very long tables.
 */
export function useSeen(
  ref: RefObject<HTMLElement | null>,
  printed: { width: number; height: number },
): Seen {
  const [seen, setSeen] = useState<Seen>(firstGuess);
  useLayoutEffect(() => {
    let printing = false;
    const look = () => {
      const element = ref.current;
      if (!element) return;
      const next = printing
        ? { top: 0, bottom: printed.height, left: 0, right: printed.width }
        : partSeen(element);
      setSeen((before) => (isSame(before, next) ? before : next));
    };
    const setPrinting = (value: boolean) => () => {
      printing = value;
      look();
    };
    const beforePrint = setPrinting(true);
    const afterPrint = setPrinting(false);
    look();
    const observer = new ResizeObserver(look);
    if (ref.current) observer.observe(ref.current);
    observer.observe(document.documentElement);
    // Scrolling does not bubble, but can be caught on its way down.
    document.addEventListener('scroll', look, { capture: true, passive: true });
    addEventListener('resize', look);
    addEventListener('beforeprint', beforePrint);
    addEventListener('afterprint', afterPrint);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
      removeEventListener('resize', look);
      removeEventListener('beforeprint', beforePrint);
      removeEventListener('afterprint', afterPrint);
    };
  }, [ref, printed.width, printed.height]);
  return seen;
}

function partSeen(element: HTMLElement): Seen {
  const own = element.getBoundingClientRect();
  const scroller = element.closest('[data-scrolls]')?.getBoundingClientRect();
  const top = Math.max(scroller?.top ?? 0, 0);
  const bottom = Math.min(scroller?.bottom ?? innerHeight, innerHeight);
  const left = Math.max(scroller?.left ?? 0, 0);
  const right = Math.min(scroller?.right ?? innerWidth, innerWidth);
  return {
    top: Math.floor((top - own.top) / step) * step,
    bottom: Math.ceil((bottom - own.top) / step) * step,
    left: Math.floor((left - own.left) / step) * step,
    right: Math.ceil((right - own.left) / step) * step,
  };
}

function isSame(one: Seen, other: Seen): boolean {
  return (
    one.top === other.top &&
    one.bottom === other.bottom &&
    one.left === other.left &&
    one.right === other.right
  );
}
