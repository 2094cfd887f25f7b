import { joinLeftOut, LeftOutList, type LeftOutParts } from '../journal/left-out.js';
import type { ResultsHeader } from './results-header.js';
import type { TaskRunRecord, TaskRunSoFar } from './task-run-record.js';

export interface ReadOptions {
  /** Leaves `result` of calls null where that saves memory: they can be larger than all the rest. */
  withoutCallResults?: boolean;
}

/** A file of results of any kind, opened. */
export interface ResultsFile {
  path: string;
  /** There is no file: `path` is only a name for messages and reports. */
  isInMemory?: true;
  header: ResultsHeader;
  /** Reads the task runs, one in memory at a time. Can be called again. Throws what `openResultsFile` throws. */
  taskRuns(options?: ReadOptions): AsyncGenerator<TaskRunRecord>;
  /**
   * What was left out because it is malformed. It is complete only after the task runs were read to the
   * last one.
   */
  leftOut(): LeftOutParts;
  /** How many task runs were left out entirely; known after the others were read. */
  lostTaskRuns?(): number;
  /**
   * Reads the task runs that have started and not ended, which are those of `header.open`, as far as they are recorded. Only
   * a journal has them.
   */
  openTaskRuns?(): AsyncGenerator<TaskRunSoFar>;
}

/** What was left out of one of several files. */
export interface LeftOutOfFile extends LeftOutParts {
  path: string;
}

/** The files of which something was left out, each once. */
export function listLeftOut(files: readonly ResultsFile[]): LeftOutOfFile[] {
  const byPath = new Map(files.map(({ path, leftOut }) => [path, { path, ...leftOut() }]));
  return [...byPath.values()].filter(({ count }) => count > 0);
}

/**
 * Collects what was left out of a file that is read more than once. Every reading finds the same parts, and
 * may end early: the one that found most counts.
 */
export class LeftOutByReading {
  #header = new LeftOutList();
  readonly #readings: LeftOutList[] = [];

  /** Starts the list of what is left out of the header. */
  startHeader(): LeftOutList {
    this.#header = new LeftOutList();
    return this.#header;
  }

  /** Starts a list for a new reading of the task runs. */
  startReading(): LeftOutList {
    const list = new LeftOutList();
    this.#readings.push(list);
    return list;
  }

  /** All that was left out, together with what was known before. */
  joinWith(known: LeftOutParts): LeftOutParts {
    const longest = this.#readings.reduce(
      (longestSoFar, list) => (list.count > longestSoFar.count ? list : longestSoFar),
      new LeftOutList(),
    );
    return joinLeftOut([known, this.#header, longest]);
  }
}

/** Checked between task runs: throws when the work is cancelled, and no partial file is left. */
export type StopSignal = Pick<AbortSignal, 'throwIfAborted'>;
