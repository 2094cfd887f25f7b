import type { SpentBudget } from '../../journal/run-events.js';
import type { FailureCategory, Outcome } from '../../journal/task-run-events.js';
import type { TokenUsage } from '../../journal/usage.js';
import type { JudgingChange } from '../../results/judging.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import type { AgentRecord, ResultsHeader, VariantRecord } from '../../results/results-header.js';
import type { MissingShards } from '../../results/shards.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import type { BlockedTool, DeniedTool } from '../blocked-calls.js';
import type { OutcomeCounts, PassFigures, PassWithK, Rate } from '../pass-rates.js';
import type { RerunsSummary } from '../reruns.js';

export interface Spread {
  mean: number;
  p50: number;
  p95: number;
  max: number;
}

/** Durations, calls, tokens and costs of task runs. Null: not known. */
export interface Amounts {
  durationMs: Spread | null;
  calls: TaskRunRecord['callCounts'] & { suspected: number };
  usage: TokenUsage | null;
  cost: number | null;
  judge: { usage: TokenUsage | null; cost: number | null };
  /** Number of task runs whose agent or judge did not report them, so that the sums are too small. */
  untold: { usage: number; cost: number };
}

/** Task runs that did not pass for the same reason. */
export interface FailureSummary {
  category: FailureCategory;
  message: string;
  /** Numbers of the first of these runs. */
  runs: number[];
  /** File that has the first of these runs. */
  path: string;
  count: number;
}

export interface TaskSummary {
  task: string;
  /** The variant, if there is a matrix. */
  variant: string | null;
  path: string;
  difficulty: string | null;
  labels: Readonly<Record<string, string>>;
  taskRuns: number;
  outcomes: OutcomeCounts;
  rate: Rate;
  /** pass@k and pass^k for some k up to the number of judged runs; empty if fewer than two were judged. */
  passWithK: PassWithK[];
  /** True if some judged runs passed, and some did not. */
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

/** The task runs of a variant of a matrix, over all tasks. */
export interface VariantSummary extends GroupSummary {
  amounts: Amounts;
}

/** A file that was read. */
export interface SourceSummary {
  path: string;
  kind: ResultsHeader['kind'];
  eval: string | null;
  /** Verdicts are those of `recheck`, not of the run. */
  rechecked?: ResultsHeader['rechecked'];
  /** The agent; also null if variants have different agents. */
  agent: AgentRecord | null;
  variants: VariantRecord[];
  judge: AgentRecord | null;
  startedAt: string | null;
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The budget that was reached, so that task runs were left out. */
  budget: SpentBudget | null;
  planned: number | null;
  open: number;
}

/** What of the plan is missing: a run did not do all of it, or shards are not there. */
export type UnfinishedSummary = UnfinishedRun | UnfinishedShards;

export interface UnfinishedRun {
  path: string;
  /** `running`: killed, or still running. `unreadable`: verdicts of some task runs cannot be read. */
  why: 'running' | 'interrupted' | 'bailed' | 'budget' | 'incomplete' | 'unreadable';
  /** The budget that was reached, if that is why. */
  budget?: SpentBudget;
  /** Number of task runs with a verdict, and of planned ones. */
  done: number;
  planned: number | null;
}

export interface UnfinishedShards extends MissingShards {
  why: 'shards';
}

/** A task whose runs in one sample were not all judged alike: its rate mixes different things. */
export interface UnlikeJudging {
  task: string;
  /** Differences between the first judging and later ones. */
  changes: JudgingChange[];
  /** The changes as text. */
  text: string;
  /** True: one file judged it differently than another. False: a file holds both. */
  betweenFiles: boolean;
}

/** What `proctor summary` shows, and prints with `-o json`. */
export interface Summary {
  sources: SourceSummary[];
  /** What could not be read of the sources; it is in neither rates nor amounts. */
  leftOut: LeftOutOfFile[];
  unfinished: UnfinishedSummary[];
  /** The shard, if all task runs belong to one shard of a plan. */
  shard: { index: number; of: number } | null;
  /** Reruns. Those that are left out count in the total amounts only, as they were paid for. */
  reruns: RerunsSummary | null;
  /** Tasks whose runs were not all judged alike. */
  unlikeJudging: UnlikeJudging[];
  /** Tasks; of a matrix, each task once for every variant. */
  tasks: TaskSummary[];
  totals: PassFigures & {
    /** Number of planned task runs without a verdict. */
    notRun: number;
    /**
     * Number of task runs whose verification passed, whatever their assertions say; without verification, of
     * those that passed.
     */
    verified: number;
    assertions: { total: number; passed: number };
    amounts: Amounts;
    /** Calls that were blocked, and did not reach their server. */
    blocked: BlockedTool[];
    /** Calls that agents were not allowed to make. */
    denied: DeniedTool[];
    /** Names of flaky tasks; of a matrix with the variant: `task [variant]`. */
    flaky: string[];
    /** Tokens of arguments and results of calls, or the estimate in results of mcpchecker. */
    estimatedTokens: number;
    /** Tokens of what the servers offer to an agent: the maximum over all sources. Null: not known. */
    schemaTokens: number | null;
    /** The same summed over all task runs, as each was given them. */
    schemaTokensOfRuns: number | null;
  };
  byDifficulty: Record<string, GroupSummary>;
  byLabel: Record<string, Record<string, GroupSummary>>;
  /** Task runs by variant; empty if there is no matrix. */
  byVariant: Record<string, VariantSummary>;
}

/** Mean, percentiles and maximum; null without values. */
export function computeSpread(values: readonly number[]): Spread | null {
  const sorted = [...values].sort((left, right) => left - right);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  // The value that a share of all values does not exceed.
  const percentile = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? max;
  return { mean, p50: percentile(0.5), p95: percentile(0.95), max };
}

export type TaskOutcome = Outcome | 'flaky';

/** The outcome of all runs of a task. Runs that could not be judged count only if there are no others. */
export function decideTaskOutcome({ outcomes, flaky }: TaskSummary): TaskOutcome {
  if (flaky) return 'flaky';
  if (outcomes.failed > 0) return 'failed';
  if (outcomes.timeout > 0) return 'timeout';
  if (outcomes.passed > 0) return 'passed';
  return outcomes.error > 0 ? 'error' : 'cancelled';
}
