import { joinLeftOut, LeftOutList, type LeftOutParts } from '../events/left-out.js';
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
export function listLeftOut(files: readonly ResultsFile[]): LeftOutOfFile[] {
  const byPath = new Map(files.map(({ path, leftOut }) => [path, { path, ...leftOut() }]));
  return [...byPath.values()].filter(({ count }) => count > 0);
}

/**
 * What was left out of a file that is read more than once. Every reading comes by the same parts, and may end
 * before the last one: the longest counts.
 */
export class LeftOutByReading {
  startHeader = new LeftOutList();
  readonly #readings: LeftOutList[] = [];

  /** For what stands beside the task runs. */
  header(): LeftOutList {
    this.startHeader = new LeftOutList();
    return this.startHeader;
  }

  /** For a reading of the task runs that begins now. */
  reading(): LeftOutList {
    const list = new LeftOutList();
    this.#readings.push(list);
    return list;
  }

  /** With what was known before. */
  joinWith(known: LeftOutParts): LeftOutParts {
    const longest = this.#readings.reduce(
      (most, each) => (each.count > most.count ? each : most),
      new LeftOutList(),
    );
    return joinLeftOut([known, this.startHeader, longest]);
  }
}

/** Asked between one task run and the next: throws if it is to end, and nothing half is left. */
export type StopSignal = Pick<AbortSignal, 'throwIfAborted'>;
