import type { RunsDecided } from '../journal/run-events.js';
import type { Outcome } from '../journal/task-run-events.js';
import type { TaskRun } from '../plan/plan.js';
import { listedWork, type WorkSource } from './scheduler.js';

/** The task runs of an evaluation, as they come up. */
export interface Work extends WorkSource<TaskRun> {
  /** Task runs that are still to do, as far as is known now. */
  readonly left: number;
  /** What is decided about the runs of tasks before this process has done any. */
  readonly decided: readonly RunsDecided[];
  /** What the end of a task run decides about others. */
  ended(taskRun: TaskRun, outcome: Outcome): RunsDecided | undefined;
}

/** Task runs that are known from the beginning. */
export function plannedWork(taskRuns: readonly TaskRun[]): Work {
  return {
    ...listedWork(taskRuns),
    left: taskRuns.length,
    decided: [],
    ended: () => undefined,
  };
}
