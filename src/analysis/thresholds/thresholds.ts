import type { UnfinishedSummary } from '../summary/summary.js';

/** Limits that results have to meet. In a matrix, those of rates count for each variant. */
export interface Thresholds {
  /**
   * The least share of task runs that pass, of all that were judged, whichever task they are of: 0.8 does not ask for
   * 0.8 of every single task. Over 0, up to 1.
   */
  task?: number | undefined;
  /** The least share of assertions that hold. Over 0, up to 1. */
  assertion?: number | undefined;
  /** The least chance that `k` runs of a task in a row pass, as the mean over all tasks. */
  passHatK: readonly { k: number; rate: number }[];
  /** The most US dollars that agents and judge cost, of all task runs together. */
  maxCost?: number | undefined;
  /** The most tokens that agents and judge use, in all task runs together. */
  maxTokens?: number | undefined;
  /** The most task runs that could not be judged. Default: half of them. */
  maxErrors?: number | undefined;
  /** Rates count by the lower bound of their interval at this confidence, from 0.5 to 0.9999. */
  confidence?: number | undefined;
}

/** The result of checking one threshold. */
export interface ThresholdCheck {
  /** The threshold by its name on the command line, as in messages: `--task`. */
  option: string;
  /** The variant that was checked, if there is a matrix. Null: the whole was. */
  variant: string | null;
  /** What was measured. */
  measure: string;
  unit: 'rate' | 'dollars' | 'tokens' | 'task runs';
  kind: 'at least' | 'at most';
  limit: number;
  /** The measured value. Null: not known, so the threshold is not met. */
  found: number | null;
  /** False if the results have nothing to check, so that the threshold does not count. */
  applies: boolean;
  holds: boolean;
  /** Distance from the limit; null if it holds, or is not known. */
  missedBy: number | null;
  /** What `found` is made of, or why it is not known. */
  note: string;
}

/** What `proctor verify` shows, and prints with `-o json`. */
export interface Verification {
  passed: boolean;
  thresholds: ThresholdCheck[];
  confidence: number | null;
  /** Runs that did not do all of their plan. */
  unfinished: UnfinishedSummary[];
  /** What to know before trusting the figures. */
  caveats: string[];
}

/** Sums and products of rates and costs have rounding errors. */
const tolerance = 1e-9;

type Limit = Pick<ThresholdCheck, 'option' | 'measure' | 'limit'>;

export function checkAtLeast(limit: Limit, found: number | null, note: string): ThresholdCheck {
  const missing = found === null ? null : limit.limit - found;
  return makeCheck({ ...limit, unit: 'rate', kind: 'at least', found, note }, missing);
}

export function checkAtMost(
  limit: Limit & Pick<ThresholdCheck, 'unit'>,
  found: number | null,
  note: string,
): ThresholdCheck {
  const surplus = found === null ? null : found - limit.limit;
  return makeCheck({ ...limit, kind: 'at most', found, note }, surplus);
}

/** A threshold for which the results have nothing to check, which is no reason to fail. */
export function makeNotApplicable(limit: Limit, note: string): ThresholdCheck {
  const measured = { ...limit, unit: 'rate', kind: 'at least', found: null, note } as const;
  return { ...measured, variant: null, applies: false, holds: true, missedBy: null };
}

function makeCheck(
  measured: Omit<ThresholdCheck, 'variant' | 'applies' | 'holds' | 'missedBy'>,
  distance: number | null,
): ThresholdCheck {
  const holds = distance !== null && distance <= tolerance;
  return { ...measured, variant: null, applies: true, holds, missedBy: holds ? null : distance };
}
