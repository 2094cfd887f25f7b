export interface Range {
  /** The first one, and the one after the last. */
  start: number;
  end: number;
}

interface Window {
  /** Where the list begins, and where what is seen begins and ends, on the same scale. */
  top: number;
  seenFrom: number;
  seenTo: number;
}

/**
 * Rows of the same height that can be seen, and a few more at each end. Some there always are: who
 * cannot see has to find a list that is somewhere else on the page.
 */
export function rangeOfRows(count: number, rowHeight: number, seen: Window, more = 6): Range {
  const first = Math.floor((seen.seenFrom - seen.top) / rowHeight) - more;
  const last = Math.ceil((seen.seenTo - seen.top) / rowHeight) + more;
  const start = Math.max(Math.min(first, count - more), 0);
  return { start, end: Math.min(Math.max(last, start + more), count) };
}
