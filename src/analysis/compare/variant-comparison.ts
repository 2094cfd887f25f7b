import type { AgentRecord } from '../../results/results-header.js';
import type { MeanAmounts, TotalMethod } from '../diff/results-diff.js';
import type { Rate } from '../pass-rates.js';
import type { SourceSummary } from '../summary/summary.js';

/** A variant of a matrix, or a file of results, over the tasks that are compared. */
export interface RankedVariant extends Rate {
  /** Place by pass rate, from 1; variants with the same rate share one. */
  rank: number;
  name: string;
  /** File that has the variant. */
  path: string;
  /** Null: the results do not say. */
  agent: AgentRecord;
  mcpConfigFile: string | null;
  taskRuns: number;
  /** Errors, which are left out of the rate. */
  errors: number;
  cancelled: number;
  /** Mean amounts of a judged task run; all tasks weigh the same. */
  amounts: MeanAmounts;
}

/** `no difference`: none that these runs could show. */
export type PairVerdict = 'different' | 'no difference' | 'not enough data';

/** Two variants, task by task. */
export interface ComparedPair {
  /** The one that ranks above the other. */
  first: string;
  second: string;
  /** First minus second: mean over tasks of the difference of their rates, with a 95 % interval. */
  difference: number;
  low: number;
  high: number;
  pValue: number;
  /** By Holm's correction over all pairs, and twice that, as single tasks are looked at too. */
  adjusted: number;
  method: TotalMethod;
  /** On the tasks as a whole. */
  verdict: PairVerdict;
  /** Single tasks in which one of the two passes more often by more than chance. */
  firstBetterIn: string[];
  secondBetterIn: string[];
}

/** A task that some variants pass more often than others. */
export interface Disagreement {
  task: string;
  /** The highest rate less the lowest. */
  spread: number;
  /** In the order of the ranking. */
  rates: (Rate & { variant: string })[];
}

/** A task that was not compared, and the variants that did not judge it. */
export interface LeftOutTask {
  task: string;
  missing: string[];
}

/** What `proctor result compare` shows, and prints with `-o json`. */
export interface VariantComparison {
  sources: SourceSummary[];
  /** Number of tasks that every variant judged; all figures are of these. */
  tasks: number;
  /** Variants, the best first. */
  variants: RankedVariant[];
  /** Every pair of variants. */
  pairs: ComparedPair[];
  /** Largest sets of variants of which no two are different, as a whole or in a single task. */
  groups: string[][];
  /** Tasks with different rates, the largest spread first. */
  disagreements: Disagreement[];
  leftOut: LeftOutTask[];
  /** Variants of which nothing was judged. */
  notRanked: string[];
  /** What to know before trusting the comparison. */
  caveats: string[];
}
