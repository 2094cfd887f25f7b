import type { LeftOutParts } from '../journal/left-out.js';
import type { ResultsHeader } from './results-header.js';
import type { TaskRunRecord, TaskRunSoFar } from './task-run-record.js';

export interface ReadOptions {
  /** Leaves `result` of calls null where that saves memory: they can be larger than all the rest. */
  withoutCallResults?: boolean;
}

/** A file of results of any kind, opened. */
export interface ResultsFile {
  path: string;
  header: ResultsHeader;
  /** One in memory at a time; can be asked for again. Throws what `openResults` throws. */
  taskRuns(options?: ReadOptions): AsyncGenerator<TaskRunRecord>;
  /**
   * What was left out, as it is not what it should be. All of it is known when the task runs were read to the
   * last one.
   */
  leftOut(): LeftOutParts;
  /** How many task runs are among that, as a whole; known when the others were read. */
  lostTaskRuns?(): number;
  /** Those of `header.open`, as far as they have come; only a journal has them. */
  openTaskRuns?(): AsyncGenerator<TaskRunSoFar>;
}

/** What was left out of one of several files. */
export interface LeftOutOfFile extends LeftOutParts {
  path: string;
}

/** Only those of which something was left out, each once. */
export function leftOutOf(files: readonly ResultsFile[]): LeftOutOfFile[] {
  const byPath = new Map(files.map(({ path, leftOut }) => [path, { path, ...leftOut() }]));
  return [...byPath.values()].filter(({ count }) => count > 0);
}
