import { UsageError } from '../../base/errors.js';
import { didYouMean } from '../../base/nearest.js';
import type { JudgingChange } from '../../results/judging.js';
import type { Rate } from '../pass-rates.js';
import type { SourceSummary } from '../summary/summary.js';

/**
 * `judged differently`: the task was edited in between, so that its rates are not comparable. If it got worse,
 * it is a regression all the same: editing a task must not hide that.
 */
export type DiffVerdict =
  | 'regression'
  | 'improvement'
  | 'judged differently'
  | 'no change'
  | 'not enough data';

/** A reason why judged runs of a task did not pass. */
export interface FailureReason {
  /** An assertion, a step that verifies, or a category of failures. */
  reason: string;
  taskRuns: number;
}

/** Mean amounts of judged task runs; of the total, means of the means of its tasks. Null: not known. */
export interface MeanAmounts {
  durationMs: number | null;
  calls: number | null;
  callErrors: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cost: number | null;
}

export interface DiffSide extends Rate {
  taskRuns: number;
  /** Errors, which are left out of the rate. */
  errors: number;
  cancelled: number;
  amounts: MeanAmounts;
}

export interface TaskDiff {
  task: string;
  /** The variant by its name in current, if there is a matrix. */
  variant: string | null;
  /** What it was called in the base, if it has another name now. */
  renamedFrom: string | null;
  base: DiffSide;
  current: DiffSide;
  /** Current minus base. */
  difference: number | null;
  /**
   * Fisher's exact test, two-sided as twice the smaller tail; then by Holm's correction over the tasks
   * whose runs could have shown something. Null: too few judged runs.
   */
  pValue: number | null;
  adjusted: number | null;
  verdict: DiffVerdict;
  /** What judges it differently in current. Empty: nothing, as far as is known. */
  judging: JudgingChange[];
  /** Why it did not pass, on each side; the most frequent first. */
  failures: { base: FailureReason[]; current: FailureReason[] };
  /** Sentences on the task beside its figures. */
  notes: string[];
  /**
   * How many more judged runs on each side would settle it if the rates stay. Null: it is settled, there is
   * nothing to settle, or it would take too many.
   */
  moreRuns: number | null;
}

/** `redealt runs`: sides with different numbers of runs, where this test sees less than sign-flip. */
export type TotalMethod =
  | 'exact sign-flip'
  | 'sampled sign-flip'
  | 'exact McNemar'
  | 'redealt runs';

/** The diff of all tasks that both sides have. Rates are of those that both judged, and judged alike. */
export interface TotalDiff {
  base: DiffSide;
  current: DiffSide;
  /** Number of tasks that both sides judged. In a matrix, each variant of a task counts as one. */
  tasks: number;
  /** Number of compared variants, if there is a matrix. */
  variants?: number;
  /**
   * Tasks that are judged differently. They are left out, unless there are no others, it is only with them
   * that the whole is a regression (these figures can be theirs alone), or only without them an improvement.
   */
  judgedDifferently?: { tasks: number; leftOut: boolean };
  /** Mean of the differences of the rates of these tasks, with a 95 % interval over tasks. */
  difference: number | null;
  low: number | null;
  high: number | null;
  pValue: number | null;
  method: TotalMethod | null;
  verdict: DiffVerdict;
  /** About how many more such tasks would settle it. Null for the same reasons as `moreRuns` of a task. */
  moreTasks: number | null;
}

export interface ToolChange {
  server: string;
  tool: string;
  change: 'added' | 'removed' | 'redefined';
  /** What of its definition changed: `description`, `inputSchema`, ... */
  parts: string[];
}

/** A task, or a variant of it, that one side does not have. */
export interface OneSidedTask {
  task: string;
  variant: string | null;
  side: DiffSide;
}

/** The answer in one sentence. */
export interface Headline {
  /** `open`: not settled. Something changed, and these runs are too few to say whether for better or worse. */
  tone: 'better' | 'worse' | 'mixed' | 'open' | 'same';
  text: string;
}

/** What `proctor diff` shows, and prints with `-o json`. */
export interface ResultsDiff {
  headline: Headline;
  base: SourceSummary[];
  current: SourceSummary[];
  total: TotalDiff;
  /** Tasks of both sides, those that changed first. */
  tasks: TaskDiff[];
  added: OneSidedTask[];
  removed: OneSidedTask[];
  tools: ToolChange[];
  /** What to know before trusting the comparison. */
  caveats: string[];
}

/** What a comparison can be a reason to stop for. */
export const failOnValues = ['regression', 'any-drop', 'never'] as const;

/**
 * `regression`: a task or the overall rate got worse by more than noise. `any-drop`: any rate fell. `never`: nothing is
 * a reason to stop.
 */
export type FailOn = (typeof failOnValues)[number];

/** Whether a comparison is one to stop for. Throws UsageError for a word that it does not know. */
export function shouldFail({ total, tasks }: ResultsDiff, failOn: FailOn): boolean {
  if (!failOnValues.includes(failOn)) {
    const message = `--fail-on: expected ${failOnValues.join(', ')}, found ${JSON.stringify(failOn)}`;
    throw new UsageError(message, didYouMean(String(failOn), failOnValues));
  }
  if (failOn === 'never') return false;
  const all = [total, ...tasks];
  return failOn === 'regression'
    ? all.some(({ verdict }) => verdict === 'regression')
    : all.some(({ difference }) => difference !== null && difference < 0);
}
