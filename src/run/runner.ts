import type { Problems } from '../config/problems/problem.js';
import type { RunToRecord, StopCauses } from './journal/run-recorder.js';
import type { OutputFiles } from './outputs/output-files.js';
import type { Participants } from './prepare/participants.js';
import type { PendingWork } from './resume/pending-work.js';
import type { Bail, Budget } from './schedule/stop-conditions.js';
import type { EmitCheckEvent } from './session/check-events.js';
import type { EvalToRun } from './session/prepare-check.js';

/** What a runner gets of the check that it works for. */
export interface RunnerContext {
  /** All evals that it is going to be asked to run. */
  evals: readonly EvalToRun[];
  environment: NodeJS.ProcessEnv;
  /** Budget and `--bail` are those of the whole check. */
  budget: Budget;
  bail: Bail;
  emit: EmitCheckEvent;
}

/** One eval to run, with everything that its files, options and earlier runs decide. */
export interface RunRequest {
  /** The id of the run: a new one, or that of the run which is resumed. */
  id: string;
  evalToRun: EvalToRun;
  participants: Participants;
  pending: PendingWork;
  files: OutputFiles;
}

/** Executes task runs: in this process, or on other machines. A check has one runner for all of its evals. */
export interface Runner {
  /**
   * The preflight: checks that everything is there that the task runs of an eval will need; what is missing is a problem.
   * Called for every eval of the check before the first one runs. After an abort, what it returns is closed
   * at once.
   */
  prepare(request: RunRequest, problems: Problems, signal: AbortSignal): Promise<PreparedRun>;
  close(): Promise<void>;
}

/** A run whose preflight is over. What was missing is among the problems, and then it is closed without being executed. */
export interface PreparedRun {
  /**
   * Executes the pending task runs, and keeps the journal. Throws WorkspaceError, JournalError or UsageError if it
   * cannot begin. Undefined: the run goes on elsewhere.
   */
  execute(hooks: RunHooks): Promise<StopCauses | undefined>;
  /** While it is executed. Once: what runs is stopped and cleaned up. Twice: cleaning up is stopped too. */
  interrupt(): void;
  /** Called whether it was executed or not. */
  close(): Promise<void>;
}

/**
 * What a runner calls while it executes a run: `onEvent` with every event in order, and the others before the first
 * task run, to make room for the files of this run.
 */
export type RunHooks = Pick<RunToRecord, 'onEvent' | 'hasEarlier' | 'replaceEarlier'>;

/** Makes what every runner needs to keep the journal of a request. */
export function makeRunToRecord(
  { id, evalToRun, pending, files }: RunRequest,
  { budget, bail }: Pick<RunnerContext, 'budget' | 'bail'>,
  hooks: RunHooks,
): RunToRecord {
  const { plan, suite, redactor, options } = evalToRun;
  const { previous, changedFiles } = pending.decision;
  return {
    plan,
    work: pending.work,
    evalPath: suite.eval.source.path,
    record: { id, ...pending.record },
    journalPath: files.journal,
    redactor,
    budget,
    bail,
    ...(previous && { previous, changedFiles, isForced: options.force }),
    ...hooks,
  };
}
