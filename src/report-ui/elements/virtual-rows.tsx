import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useSeen } from './use-seen.js';
import { rangeOfRows } from './visible-range.js';

interface VirtualRowsProps {
  count: number;
  /** In pixels; what `row` gives must be that high. */
  rowHeight: number;
  /** Called for the rows near what is seen; give each a `key`. */
  row: (place: number) => ComponentChildren;
}

/**
 * Any number of rows of one height, of which only those exist that can be seen: the body of a table.
 * It scrolls with the page, or with the nearest element around it that has `data-scrolls`.
 */
export function VirtualRows({ count, rowHeight, row }: VirtualRowsProps) {
  const ref: RefObject<HTMLTableSectionElement | null> = useRef(null);
  const seen = useSeen(ref);
  const { start, end } = rangeOfRows(count, rowHeight, {
    top: 0,
    seenFrom: seen.top,
    seenTo: seen.bottom,
  });
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
