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
