import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useSeen } from './use-seen.js';
import { rangeOfRows } from './visible-range.js';

interface VirtualRowsProps {
  count: number;
  /** In pixels; what `row` gives must be that high. */
  rowHeight: number;
  /** How many there are on paper. */
  printed: number;
  /** Called for the rows near what is seen; give each a `key`. */
  row: (place: number) => ComponentChildren;
}

/** So few are all there: the browser's own search finds them. */
const alwaysThere = 200;

/**
 * Any number of rows of one height: the body of a table. Of many, only those exist that can be seen.
 * It scrolls with the page, or with the nearest element around it that has `data-scrolls`.
 */
export function VirtualRows({ count, rowHeight, printed, row }: VirtualRowsProps) {
  const ref: RefObject<HTMLTableSectionElement | null> = useRef(null);
  const seen = useSeen(ref, { width: 0, height: printed * rowHeight });
  const seenRows = { top: 0, seenFrom: seen.top, seenTo: seen.bottom };
  const { start, end } =
    count <= alwaysThere ? { start: 0, end: count } : rangeOfRows(count, rowHeight, seenRows);
  return (
    <tbody
      class="virtual-rows"
      ref={ref}
      style={{ '--height': `${count * rowHeight}px`, '--before': `${start * rowHeight}px` }}
    >
      {Array.from({ length: end - start }, (_, offset) => row(start + offset))}
    </tbody>
  );
}
