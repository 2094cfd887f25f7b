import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { usePrinting } from './media.js';

/** One direction of a large table: its rows, or its columns. All of them have the same size. */
export interface VirtualAxis {
  count: number;
  /** Height of a row or width of a column, in pixels. */
  size: number;
  /** Pixels before the first one; 0 if not set. */
  offset?: number;
  /** How many are rendered at each end beyond what is visible. */
  overscan: number;
  /** How many are on paper: a browser freezes over very long tables. */
  printed: number;
}

/** Places from `start` up to, but without, `end`. */
export interface Range {
  start: number;
  end: number;
}

const noColumns: VirtualAxis = { count: 0, size: 0, overscan: 0, printed: 0 };

/**
 * Which rows and columns of a table have to exist, as only those that are visible do. The table
 * scrolls with the page, or with the nearest element around it that has `data-scrolls`. Where there
 * are at most `alwaysRendered` rows (or cells, with columns) all exist, so that the browser's own
 * search finds them.
 */
export function useVirtualTable(
  body: RefObject<HTMLElement | null>,
  {
    rows,
    columns,
    alwaysRendered,
  }: { rows: VirtualAxis; columns?: VirtualAxis; alwaysRendered: number },
): { rows: Range; columns: Range } {
  const across = columns ?? noColumns;
  const visible = useVisibleArea(body, {
    width: (across.offset ?? 0) + across.printed * across.size,
    height: (rows.offset ?? 0) + rows.printed * rows.size,
  });
  if (rows.count * (columns?.count ?? 1) <= alwaysRendered) {
    return { rows: { start: 0, end: rows.count }, columns: { start: 0, end: across.count } };
  }
  return {
    rows: findRange(rows, visible.top, visible.bottom),
    columns: columns ? findRange(columns, visible.left, visible.right) : { start: 0, end: 0 },
  };
}

/**
 * The places that can be seen between two distances from the beginning of the table, and the
 * overscan. There are always some, so that a screen reader finds a table that is out of view.
 */
export function findRange(
  { count, size, offset = 0, overscan }: Omit<VirtualAxis, 'printed'>,
  from: number,
  to: number,
): Range {
  const first = Math.floor((from - offset) / size) - overscan;
  const last = Math.ceil((to - offset) / size) + overscan;
  const start = Math.max(Math.min(first, count - overscan), 0);
  return { start, end: Math.min(Math.max(last, start + overscan), count) };
}

/** The visible part of an element, in pixels from its own corner. */
interface Area {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/**
 * Used for the first rendering. Too little is corrected before it is painted, too much is wasted.
 */
const firstGuess: Area = { top: 0, bottom: 560, left: 0, right: 2000 };

/** The area is rounded outwards to steps of this size, so that most scrolling renders nothing. */
const step = 120;

/**
 * Follows the visible part of an element while the page, or the element it lies in, scrolls. While
 * the page is printed, the given size counts as visible.
 */
function useVisibleArea(
  ref: RefObject<HTMLElement | null>,
  printed: { width: number; height: number },
): Area {
  const [visible, setVisible] = useState<Area>(firstGuess);
  const printing = usePrinting();
  useLayoutEffect(() => {
    const measure = () => {
      if (!ref.current) return;
      const next = measureVisibleArea(ref.current);
      setVisible((before) => (isSameArea(before, next) ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (ref.current) observer.observe(ref.current);
    observer.observe(document.documentElement);
    // Scroll events do not bubble, but can be captured.
    document.addEventListener('scroll', measure, { capture: true, passive: true });
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      document.removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', measure);
    };
  }, [ref]);
  return printing ? { top: 0, bottom: printed.height, left: 0, right: printed.width } : visible;
}

function measureVisibleArea(element: HTMLElement): Area {
  const box = element.getBoundingClientRect();
  const scroller = element.closest('[data-scrolls]')?.getBoundingClientRect();
  const top = Math.max(scroller?.top ?? 0, 0);
  const bottom = Math.min(scroller?.bottom ?? innerHeight, innerHeight);
  const left = Math.max(scroller?.left ?? 0, 0);
  const right = Math.min(scroller?.right ?? innerWidth, innerWidth);
  return {
    top: Math.floor((top - box.top) / step) * step,
    bottom: Math.ceil((bottom - box.top) / step) * step,
    left: Math.floor((left - box.left) / step) * step,
    right: Math.ceil((right - box.left) / step) * step,
  };
}

function isSameArea(one: Area, other: Area): boolean {
  return (
    one.top === other.top &&
    one.bottom === other.bottom &&
    one.left === other.left &&
    one.right === other.right
  );
}
