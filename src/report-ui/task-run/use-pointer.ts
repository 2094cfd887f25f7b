import { useCallback, useState } from 'preact/hooks';
import type { ReportIndex } from '../../report-data/report-data.js';
import { runLink } from '../routing/run-links.js';
import { currentRoute, jumpTo, replaceHash, useRoute } from '../routing/use-hash.js';

/** What of a task run is pointed at. */
export interface Pointer {
  /** Of an entry of the story or of an assertion; null: nothing. */
  key: string | null;
  /** Grows each time: one can jump again to where one was. */
  times: number;
}

/** The address says it too, so that a link leads to the same place. */
export function usePointer(index: ReportIndex, place: number) {
  const key = useRoute().query.get('at');
  const [times, setTimes] = useState(0);
  const linkTo = (next: string) => {
    const { query } = currentRoute();
    query.set('at', next);
    return runLink(index, place, query);
  };
  /** From somewhere else on the page: the way back leads there. */
  const pointAt = useCallback(
    (next: string) => {
      jumpTo(linkTo(next));
      setTimes((before) => before + 1);
    },
    [index, place],
  );
  /** From one to the next. */
  const stepTo = useCallback(
    (next: string) => {
      replaceHash(linkTo(next));
      setTimes((before) => before + 1);
    },
    [index, place],
  );
  const pointer: Pointer = { key, times };
  return { pointer, pointAt, stepTo };
}
