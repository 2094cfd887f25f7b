import type { JournalEvent } from '../journal/event.js';
import type { ResultsFile } from '../results/results-file.js';

/** How a check came to its end; `budget`: one was reached, and the rest was not run. */
export type RunEnd = 'finished' | 'bailed' | 'budget' | 'interrupted' | 'broken';

/** What is there when a check is over. */
export interface FinishedCheck {
  end: RunEnd;
  exitCode: number;
  /** The results, to be read as often as needed. */
  results: ResultsFile;
  /** Absolute paths. */
  resultsPath: string;
  journalPath: string;
}

/**
 * What a reporter is asked, in this order. Each may return a promise, which is waited for, and may
 * throw: it is reported, and the reporter is left out from then on.
 */
export interface Reporter {
  /**
   * False: without a file it writes nothing at all, and leaves stdout to others. Otherwise the report
   * for people goes to stderr.
   */
  printsToStdout?: boolean;
  /** Every event of the journal, as it happens. Keep it short: the run does not wait. */
  onEvent?(event: JournalEvent): void | Promise<void>;
  /** Once, at the end, also of a check that was interrupted. */
  onEnd?(check: FinishedCheck): void | Promise<void>;
}

export interface ReporterOutput {
  /** Text for stdout, or for the file of `--reporter NAME=FILE`. */
  write(text: string): Promise<void>;
}

/** What a reporter is made with. */
export interface ReporterContext {
  output: ReporterOutput;
  /** Of `--reporter NAME=FILE`: absolute. */
  file: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; paths in results start there. */
  evalFolder: string;
  /** The Eval file, absolute. */
  evalFile: string;
  cwd: string;
}

export type CreateReporter = (context: ReporterContext) => Reporter | Promise<Reporter>;
