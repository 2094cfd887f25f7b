import type { TaskRunSoFar } from './task-run-record.js';

/** What a task run took, without the time that limits of the check made it wait. Null: not told. */
export function workingTime({
  durationMs,
  waitedMs = 0,
}: Pick<TaskRunSoFar, 'durationMs' | 'waitedMs'>): number | null {
  return durationMs === null ? null : Math.max(0, durationMs - waitedMs);
}
