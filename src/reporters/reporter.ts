import { extname } from 'node:path';
import type { JournalEvent } from '../journal/event.js';
import type { PooledResults } from '../results/read/pooled-results.js';
import type { ResultsFile } from '../results/results-file.js';

/**
 * Why a run ended. `finished`: everything was done. `budget`: one was reached, and the rest was not run. `broken`: the
 * journal could not be written any more.
 */
export type RunEndReason = 'finished' | 'bailed' | 'budget' | 'interrupted' | 'broken';

/** What a reporter gets at the end of a run. */
export interface FinishedRun {
  end: RunEndReason;
  exitCode: number;
  /** The results, which can be read several times. */
  results: ResultsFile;
  /** Absolute paths. */
  resultsPath: string;
  journalPath: string;
}

/** @deprecated Its name is `FinishedRun`. */
export type FinishedCheck = FinishedRun;

/**
 * The methods of a reporter. Each may return a promise, which is awaited. If one throws, the error is reported, and
 * the reporter is not called any more.
 */
export interface Reporter {
  /**
   * False if the reporter writes nothing to stdout when it has no file. Otherwise the text report goes to stderr.
   */
  printsToStdout?: boolean;
  /**
   * Called for every event of the journal but `mcp-message`, without secrets. Those before the first task run come when
   * it begins. Keep it short: the run does not wait.
   */
  onEvent?(event: JournalEvent): void | Promise<void>;
  /** Called once at the end, also if the run was interrupted, unless no task run had begun by then. */
  onEnd?(run: FinishedRun): void | Promise<void>;
}

export interface ReporterOutput {
  /** Writes to stdout, or to the file of `--reporter NAME=FILE`. */
  write(text: string): Promise<void>;
}

/** What a reporter is created with. */
export interface ReporterContext {
  output: ReporterOutput;
  /** Absolute path of the file of `--reporter NAME=FILE`. */
  file: string | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder of the eval; paths in results are relative to it. */
  evalFolder: string;
  /** Absolute path of the Eval file. */
  evalFile: string;
  cwd: string;
}

export type CreateReporter = (context: ReporterContext) => Reporter | Promise<Reporter>;

/** Makes a sample of a single file. */
export function poolFile(file: ResultsFile): PooledResults {
  return {
    files: [file],
    async *taskRuns(options) {
      for await (const taskRun of file.taskRuns(options)) yield { file, taskRun };
    },
  };
}

/** The name of results in a report: that of the eval, or the path. */
export function getResultsName({ header, path }: ResultsFile): string {
  return header.eval?.name || path;
}

/** A file beside the results that has their name, and another extension. */
export function makeReportPath(resultsPath: string, extension: string): string {
  const ending = extname(resultsPath);
  const base = ending === '' ? resultsPath : resultsPath.slice(0, -ending.length);
  return `${base}.${extension}`;
}
