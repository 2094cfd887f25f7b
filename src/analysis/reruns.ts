import { plural } from '../base/text.js';
import type { ResultsFile } from '../results/results-file.js';
import { findOrigin, type TaskRunRecord } from '../results/task-run-record.js';

/** Task runs of `check --rerun-failed`. */
export interface RerunsSummary {
  taskRuns: number;
  /** They are in no rate. False if there are no other task runs. */
  leftOut: boolean;
}

/**
 * Finds task runs that only happened because an earlier one did not pass. Beside that one they are no further
 * sample of the task: a failure would get another chance, and a lucky pass would not.
 */
export class RerunsFold {
  readonly #rerunIds: ReadonlySet<string>;
  readonly #leavesOut: boolean;
  #taskRuns = 0;

  constructor(files: readonly ResultsFile[]) {
    this.#rerunIds = new Set(files.flatMap(({ header }) => header.reruns));
    this.#leavesOut = !areReruns(files);
  }

  /** Whether rates leave this task run out. Counts it if it is a rerun. */
  leavesOut(file: ResultsFile, taskRun: TaskRunRecord): boolean {
    const id = findOrigin(file.header, taskRun)?.id;
    if (id === undefined || !this.#rerunIds.has(id)) return false;
    this.#taskRuns += 1;
    return this.#leavesOut;
  }

  /** Null if there are no reruns. */
  get summary(): RerunsSummary | null {
    if (this.#taskRuns === 0) return null;
    return { taskRuns: this.#taskRuns, leftOut: this.#leavesOut };
  }
}

/** Whether there are only reruns: then the rates are those of what failed before. */
export function areReruns(files: readonly ResultsFile[]): boolean {
  return (
    files.length > 0 &&
    files.every(({ header: { evaluations, reruns } }) => {
      return evaluations.length > 0 && evaluations.every((id) => reruns.includes(id));
    })
  );
}

export function describeRerunTaskRuns({ taskRuns, leftOut }: RerunsSummary): string {
  if (!leftOut) {
    return 'all of it comes from --rerun-failed: only what had not passed before ran, which is harder than the rest';
  }
  const are = `${plural(taskRuns, 'task run')} of --rerun-failed ${taskRuns === 1 ? 'is' : 'are'}`;
  return `${are} in no rate: only what did not pass got another chance`;
}
