import type { ResultTotals } from '../../results/schema/results-schema.js';
import { exitCodes } from '../exit-codes.js';

/** What became of an eval of a check. */
export type EvalStatus =
  | 'passed'
  | 'failed'
  | 'interrupted'
  | 'not-run'
  | 'skipped'
  | 'handed-over';

export interface EvalEnd {
  name: string;
  /** As people name it. */
  file: string;
  status: EvalStatus;
  /** Why it was not run, or skipped. */
  reason?: string;
  /** None: there are no results. */
  totals?: ResultTotals;
  /** What ended it would end the others too: there was no room to write. */
  isBroken?: true;
}

/** Of a whole check: what was interrupted counts first, then whatever did not pass. */
export function exitCodeOf(ends: readonly EvalEnd[], isInterrupted: boolean): number {
  const has = (...statuses: EvalStatus[]) => ends.some(({ status }) => statuses.includes(status));
  if (has('interrupted') || (isInterrupted && has('not-run'))) return exitCodes.interrupted;
  return has('failed', 'not-run') ? exitCodes.failed : exitCodes.ok;
}

export function statusOf(exitCode: number): EvalStatus {
  if (exitCode === exitCodes.ok) return 'passed';
  return exitCode === exitCodes.interrupted ? 'interrupted' : 'failed';
}
