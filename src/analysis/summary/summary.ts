import type { SpentBudget } from '../../journal/run-events.js';
import type { FailureCategory } from '../../journal/task-run-events.js';
import type { TokenUsage } from '../../journal/usage.js';
import type { MissingShards } from '../../results/missing-shards.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import type { AgentRecord, ResultsHeader, VariantRecord } from '../../results/results-header.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { BlockedTool, DeniedTool } from '../blocked-calls.js';
import type { OutcomeCounts, PassFigures, PassWithK, Rate } from '../pass-rates.js';
import type { RerunsSummary } from '../reruns-fold.js';
import type { UnlikeJudging } from '../unlike-judging.js';

export interface Spread {
  mean: number;
  p50: number;
  p95: number;
  max: number;
}

/** What a number of task runs took. Null: nobody told. */
export interface Amounts {
  durationMs: Spread | null;
  calls: TaskRunRecord['callCounts'] & { suspected: number };
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
  assertions: {
    total: number;
    passed: number;
    /** Task runs that do not list what their assertions came to. */
    unlisted: number;
  };
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
  /** Verdicts are those of `recheck`, not of the run. */
  rechecked?: ResultsHeader['rechecked'];
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
  /** `running`: it was killed, or still goes on. `unreadable`: some have a verdict, but it cannot be read. */
  why: 'running' | 'interrupted' | 'bailed' | 'budget' | 'incomplete' | 'unreadable';
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
  /** What could not be read of the sources: neither rates nor amounts know of it. */
  leftOut: LeftOutOfFile[];
  unfinished: UnfinishedSummary[];
  /** All of it is one shard of a plan, and not meant to be the whole. Null: it is more than that. */
  shard: { index: number; of: number } | null;
  /** Those that are left out count in the amounts of the total alone: they were paid for. */
  reruns: RerunsSummary | null;
  /** Tasks whose runs were not all judged alike. */
  unlikeJudging: UnlikeJudging[];
  /** Of a matrix, each task once for every variant. */
  tasks: TaskSummary[];
  totals: PassFigures & {
    /** Planned, and without a verdict. */
    notRun: number;
    /**
     * Task runs whose verification passed, whatever their assertions say. Where there was nothing to
     * verify, those that passed.
     */
    verified: number;
    assertions: { total: number; passed: number };
    amounts: Amounts;
    /** Calls that never reached their server. */
    blocked: BlockedTool[];
    /** Calls that agents were not allowed to make, and did not. */
    denied: DeniedTool[];
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
