import type { Problems } from '../../config/problem.js';
import type { EventListener } from '../../run/journal/event-stream.js';
import type { EvaluationEnd } from '../../run/journal/run-recorder.js';
import type { AssembledEval } from './assembled-eval.js';
import type { OutputFiles } from './output-files.js';
import type { PreparedCheck } from './prepared-check.js';
import type { WorkToDo } from './work-to-do.js';

/** An eval of a check with everything that its files, options and earlier runs decide. */
export interface EvalToRun {
  /** Of the run: a new one, or that of the run which is resumed. */
  id: string;
  prepared: PreparedCheck;
  assembled: AssembledEval;
  toDo: WorkToDo;
  files: OutputFiles;
}

/** Where task runs happen: in this process, or wherever else. A check has one for all of its evals. */
export interface Evaluator {
  /**
   * Looks whether everything is there that the task runs of an eval will need; what is missing is a
   * problem. Asked for every eval of the check before the first one runs. After an abort, whatever it
   * returns is closed at once.
   */
  makeReady(each: EvalToRun, problems: Problems, signal: AbortSignal): Promise<ReadyEval>;
  close(): Promise<void>;
}

/** An eval that only has to be run. */
export interface ReadyEval {
  /**
   * Does what there is to do, and keeps the journal. Every event is told in order. Throws WorkspaceError or
   * JournalError if it cannot begin. Undefined: it goes on elsewhere.
   */
  run(onEvent: EventListener): Promise<EvaluationEnd | undefined>;
  /** While it runs. Once: what runs is stopped and cleaned up. Twice: cleaning up is stopped too. */
  interrupt(): void;
  /** Whether it was run or not. */
  close(): Promise<void>;
}
