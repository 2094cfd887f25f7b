import type { UnfinishedSummary } from '../summary/summary.js';

/** Limits that results have to meet. */
export interface Thresholds {
  task?: number | undefined;
  assertion?: number | undefined;
  passHatK: readonly { k: number; rate: number }[];
  maxCost?: number | undefined;
  maxTokens?: number | undefined;
  maxErrors?: number | undefined;
  /** Rates count by the lower bound of their interval. */
  confidence?: number | undefined;
}

/** The result of checking one threshold. */
export interface ThresholdCheck {
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
