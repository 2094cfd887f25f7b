import { diffResults } from '../../analysis/diff/diff-results.js';
import { NotComparable } from '../../analysis/diff/not-comparable.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { NamedResults } from './named-results.js';

export interface SetDiffs {
  diffs: ReportIndex['diffs'];
  /** Sets that say nothing about the first one. */
  notCompared: { name: string; reason: string }[];
}

/** Each further set against the first. Another agent or model is told, and no reason to refuse. */
export async function setDiffs([base, ...others]: readonly NamedResults[]): Promise<SetDiffs> {
  const found: SetDiffs = { diffs: [], notCompared: [] };
  if (!base) return found;
  for (const [place, { name, results }] of others.entries()) {
    try {
      const diff = await diffResults(base.results, results, { allowDifferent: true });
      found.diffs.push({ set: place + 1, diff });
    } catch (error) {
      if (!(error instanceof NotComparable)) throw error;
      found.notCompared.push({ name, reason: error.message });
    }
  }
  return found;
}
