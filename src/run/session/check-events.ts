import type { Summary } from '../../analysis/summary/summary.js';
import type { ProblemReport } from '../../config/problems/problem.js';
import type { JournalEvent } from '../../journal/event.js';
import type { SpentBudget } from '../../journal/run-events.js';
import type { Labels } from '../../plan/labels.js';
import type { RunEndReason } from '../../reporters/reporter.js';
import type { ResultTotals } from '../../results/schema/results-schema.js';
import type { OutputFiles } from '../outputs/output-files.js';
import type { PendingWork } from '../resume/pending-work.js';
import type { EvalToRun, SkippedEval } from './prepare-check.js';

/** An eval of a check that is not skipped, as listeners get to know it. A resumed one may have nothing left to run. */
export interface EvalInfo {
  /** Redacted, as all texts of check events are. The events of the journal, `evalToRun` and `pending` are not. */
  name: string;
  file: string;
  evalToRun: EvalToRun;
  files: OutputFiles;
  pending: PendingWork;
  /** Reporters write to stdout: a report for people belongs elsewhere. */
  isStdoutTaken: boolean;
}

/** Why the run of an eval ended, and what its results come to. */
export interface RunSummary {
  /** `broken`: the journal could not be written any more. */
  end: RunEndReason;
  /** With `budget`: the one that was reached. */
  budget?: SpentBudget;
  /** What the results come to, as `result summary` has it. */
  summary: Summary;
  totals: ResultTotals;
}

/** What became of an eval of a check. */
export type EvalStatus =
  | 'passed'
  | 'failed'
  | 'interrupted'
  | 'not-run'
  | 'skipped'
  | 'handed-over';

/** What became of an eval of a check: the end of its run, or why there is none. */
export interface EvalResult {
  name: string;
  /** As people name it. */
  file: string;
  status: EvalStatus;
  /** Why it was not run, or skipped. */
  reason?: string;
  /** None: there are no results. */
  totals?: ResultTotals;
  /** What ended it would end the others too: nothing could be written any more. */
  isBroken?: true;
}

/** The workers that do the task runs of a check at the moment. */
export interface WorkersNow {
  /** Names of workers that have answered before, and do not any more. */
  gone: readonly string[];
  /** How many take part. */
  workers: number;
  /** How many task runs they do at once, all together. */
  slots: number;
  /** Task runs that wait for labels that none of them has. */
  unserved: readonly { waiting: number; labels: Labels }[];
}

/** Words what became of an unfinished run that was moved aside, in one sentence or two. */
export function describeMovedAside(
  { moved, done, uncleaned }: Pick<MovedAside, 'moved' | 'done' | 'uncleaned'>,
  formatPath: (path: string) => string = (path) => path,
): string[] {
  const journal = formatPath(moved.journal);
  return [
    `The last run did not finish (${done}), and what it ran has changed since: its journal is now ${journal}.`,
    ...(uncleaned === undefined ? [] : [`It ${uncleaned}, which runs if you continue it.`]),
  ];
}

type MovedAside = Extract<CheckEvent, { type: 'moved-aside' }>;

/** Everything that a check reports while it goes on, in the order in which it happens. */
export type CheckEvent =
  /**
   * Problems of the files, of budgets that nothing measures, or of what preflight found. With errors, nothing
   * runs; warnings are no reason to stop.
   */
  | {
      type: 'problems';
      stage: 'files' | 'budget' | 'preflight';
      report: ProblemReport;
      isFatal: boolean;
    }
  /** It is known what there is to do. Nothing has been started yet. */
  | { type: 'planned'; evals: readonly EvalInfo[]; skipped: readonly SkippedEval[] }
  /** Something that takes its time begins. */
  | { type: 'progress'; text: string }
  /** A note that is shown in every output mode. */
  | { type: 'message'; text: string }
  | { type: 'workers'; now: WorkersNow }
  /** A worker does not take part, for a reason of any number of lines. */
  | { type: 'worker-refused'; worker: string; reason: string }
  /** The files of an unfinished run of a suite that has changed since have other names now. */
  | { type: 'moved-aside'; eval: EvalInfo; moved: OutputFiles; done: string; uncleaned?: string }
  | { type: 'eval-started'; eval: EvalInfo }
  /** An event of the journal, with its secrets. `isReplayed`: of the time before --resume. */
  | { type: 'journal'; eval: EvalInfo; event: JournalEvent; isReplayed: boolean }
  /** Every task run of a resumed run has ended. */
  | { type: 'nothing-left'; eval: EvalInfo }
  /** The check was interrupted for the n-th time while the eval ran. */
  | { type: 'interrupted'; eval: EvalInfo; times: number }
  /** Workers go on with so many task runs: there are no results yet. */
  | { type: 'handed-over'; eval: EvalInfo; taskRuns: number }
  /** The eval is over without having been run. */
  | { type: 'eval-not-run'; eval: EvalInfo; reason: string }
  /** The results are written. */
  | { type: 'eval-finished'; eval: EvalInfo; run: RunSummary }
  /** `hasResults`: results were written, though the journal lacks its end. Otherwise there are none. */
  | { type: 'eval-failed'; eval: EvalInfo; message: string; hasResults: boolean }
  | { type: 'reporter-failed'; eval: EvalInfo; message: string }
  /** The whole check is over, with what became of each eval. */
  | { type: 'ended'; results: readonly EvalResult[] };

export type EmitCheckEvent = (event: CheckEvent) => void;
