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
  /** Those of `header.open`, as far as they have come; only a journal has them. */
  openTaskRuns?(): AsyncGenerator<TaskRunSoFar>;
}
