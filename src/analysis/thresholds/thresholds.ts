import type { UnfinishedSummary } from '../summary/summary.js';

/** What results have to reach; what is not given need not be. */
export interface Thresholds {
  task?: number;
  assertion?: number;
  passHatK: readonly { k: number; rate: number }[];
  maxCost?: number;
  maxTokens?: number;
  maxErrors?: number;
  /** Rates count by the lower bound of their interval. */
  confidence?: number;
}

/** A threshold, held against results. */
export interface ThresholdCheck {
  option: string;
  /** Of a matrix: the variant that a rate is of. Null: it is of the whole. */
  variant: string | null;
  /** What was measured. */
  measure: string;
  unit: 'rate' | 'dollars' | 'tokens' | 'task runs';
  kind: 'at least' | 'at most';
  limit: number;
  /** Null: nobody can tell, which is no way to reach it. */
  found: number | null;
  /** False: the results have nothing that it could be held against. It does not count then. */
  applies: boolean;
  holds: boolean;
  /** How far it is from the limit; null if it holds, or nobody can tell. */
  missedBy: number | null;
  /** What `found` is made of, or why it is not known. */
  note: string;
}

/** What `proctor verify` tells, and with `-o json` prints. */
export interface Verification {
  passed: boolean;
  thresholds: ThresholdCheck[];
  confidence: number | null;
  /** Evaluations that did not do all they were to do. */
  unfinished: UnfinishedSummary[];
  /** What somebody must know who reads the figures. */
  caveats: string[];
}

/** Sums and products of rates and dollars are not exact in their last digits. */
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

/** There is nothing that the limit could be held against, which is no reason to fail. */
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
