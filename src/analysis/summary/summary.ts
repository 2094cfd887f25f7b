import type { TokenUsage } from '../../events/agent-step.js';
import type { SpentBudget } from '../../events/budget.js';
import type { FailureCategory } from '../../events/failure-categories.js';
import type { Outcome } from '../../events/task-run-events.js';
import type { MissingShards } from '../../results/missing-shards.js';
import type { AgentRecord, ResultsHeader, VariantRecord } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { Rate } from '../rate.js';
import type { RerunsSummary } from '../reruns-fold.js';

export type OutcomeCounts = Record<Outcome, number>;

/** What several runs of a task promise: by the unbiased estimators, over its judged runs. */
export interface PassWithK {
  k: number;
  /** pass@k: at least one of k passes. */
  any: number;
  /** pass^k: all of k pass. */
  all: number;
}

export interface Spread {
  mean: number;
  p50: number;
  p95: number;
  max: number;
}

/** What a number of task runs took. Null: nobody told. */
export interface Amounts {
  durationMs: Spread | null;
  calls: TaskRunRecord['callCounts'];
  usage: TokenUsage | null;
  cost: number | null;
  judge: { usage: TokenUsage | null; cost: number | null };
  /** Task runs of which the agent or the judge worked and did not tell: sums are too small by them. */
  untold: { usage: number; cost: number };
}

/** Task runs that did not pass for the same reason. */
export interface FailureSummary {
  category: FailureCategory;
  message: string;
  /** Their numbers, few of them. */
  runs: number[];
  /** File that has the first of them. */
  path: string;
  count: number;
}

export interface TaskSummary {
  task: string;
  /** Of a matrix: the variant that did it. */
  variant: string | null;
  path: string;
  difficulty: string | null;
  labels: Readonly<Record<string, string>>;
  taskRuns: number;
  outcomes: OutcomeCounts;
  rate: Rate;
  /** For some k up to the number of judged runs; empty if fewer than two were judged. */
  passWithK: PassWithK[];
  /** Some judged runs passed, and some did not. */
  flaky: boolean;
  assertions: { total: number; passed: number };
  amounts: Amounts;
  failures: FailureSummary[];
}

export interface GroupSummary {
  taskRuns: number;
  outcomes: OutcomeCounts;
  rate: Rate;
}

/** What a variant of a matrix did, over all tasks. */
export interface VariantSummary extends GroupSummary {
  amounts: Amounts;
}

/** One of the files that were read. */
export interface SourceSummary {
  path: string;
  kind: ResultsHeader['kind'];
  eval: string | null;
  /** Null also where variants have different ones. */
  agent: AgentRecord | null;
  variants: VariantRecord[];
  judge: AgentRecord | null;
  startedAt: string | null;
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The one that left task runs out. */
  budget: SpentBudget | null;
  planned: number | null;
  open: number;
}

/** What of the plan is missing: an evaluation did not do all it was to do, or is not there. */
export type UnfinishedSummary = UnfinishedEvaluation | UnfinishedShards;

export interface UnfinishedEvaluation {
  path: string;
  /** `running`: it was killed, or still goes on. */
  why: 'running' | 'interrupted' | 'bailed' | 'budget' | 'incomplete';
  /** With `budget`: the one that was reached. */
  budget?: SpentBudget;
  /** Task runs with a verdict, and those that were to happen. */
  done: number;
  planned: number | null;
}

export interface UnfinishedShards extends MissingShards {
  why: 'shards';
}

/** What `proctor summary` tells, and with `-o json` prints. */
export interface Summary {
  sources: SourceSummary[];
  unfinished: UnfinishedSummary[];
  /** All of it is one shard of a plan, and not meant to be the whole. Null: it is more than that. */
  shard: { index: number; of: number } | null;
  /** Those that are left out count in the amounts of the total alone: they were paid for. */
  reruns: RerunsSummary | null;
  /** Of a matrix, each task once for every variant. */
  tasks: TaskSummary[];
  totals: {
    /** Whatever the variants: a task of a matrix is one. */
    tasks: number;
    /** Tasks all of whose task runs passed. */
    tasksPassed: number;
    taskRuns: number;
    /** Planned, and without a verdict. */
    notRun: number;
    outcomes: OutcomeCounts;
    /**
     * Task runs whose verification passed, whatever their assertions say. Where there was nothing to
     * verify, those that passed.
     */
    verified: number;
    /** The interval respects that the runs of one task belong together, also those of variants. */
    rate: Rate;
    assertions: { total: number; passed: number };
    amounts: Amounts;
    /** Means over the tasks that have k judged runs; of a matrix, each variant of a task for itself. */
    passWithK: (PassWithK & { tasks: number })[];
    /** Of a matrix, with the variant: `task [variant]`. */
    flaky: string[];
    /** Of arguments and results of calls, or what mcpchecker's results say they estimate. */
    estimatedTokens: number;
    /** Tokens of what the servers offer to an agent, as far as it is known: the most of all sources. */
    schemaTokens: number | null;
    /** The same over all task runs: each was given them. */
    schemaTokensOfRuns: number | null;
  };
  byDifficulty: Record<string, GroupSummary>;
  byLabel: Record<string, Record<string, GroupSummary>>;
  /** Empty: there is no matrix. */
  byVariant: Record<string, VariantSummary>;
}
