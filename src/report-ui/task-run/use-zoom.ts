import { useCallback } from 'preact/hooks';
import type { PhaseName } from '../../journal/task-run-events.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { runLink } from '../routing/run-links.js';
import { currentRoute, replaceHash, useRoute } from '../routing/use-hash.js';

const phases: readonly PhaseName[] = ['setup', 'agent', 'verify', 'cleanup'];

export interface Zoom {
  /** The phase that the timeline shows; null: all of the time. */
  phase: PhaseName | null;
  zoomTo: (phase: PhaseName | null) => void;
}

/** Kept in the address, so that a link shows the same. */
export function useZoom(index: ReportIndex, place: number): Zoom {
  const named = useRoute().query.get('zoom');
  const zoomTo = useCallback(
    (phase: PhaseName | null) => {
      const { query } = currentRoute();
      if (phase === null) query.delete('zoom');
      else query.set('zoom', phase);
      replaceHash(runLink(index, place, query));
    },
    [index, place],
  );
  return { phase: phases.find((phase) => phase === named) ?? null, zoomTo };
}
