import type { PooledResults } from '../results/read/pooled-results.js';
import { computeWorkingTime } from '../results/task-run-record.js';

/**
 * How long a run of each task takes, in milliseconds: the mean over those that were judged. One that
 * ended in an error, or was cancelled, may have ended early.
 */
export async function computeTaskDurations({
  taskRuns,
}: PooledResults): Promise<Map<string, number>> {
  const sums = new Map<string, { total: number; count: number }>();
  for await (const { taskRun } of taskRuns({ withoutCallResults: true })) {
    const { task, outcome } = taskRun;
    const durationMs = computeWorkingTime(taskRun);
    if (outcome === 'error' || outcome === 'cancelled' || durationMs === null) continue;
    const sum = sums.get(task) ?? { total: 0, count: 0 };
    sums.set(task, sum);
    // Whole numbers add up to the same in any order, so the order of the files does not matter.
    sum.total += Math.round(durationMs);
    sum.count += 1;
  }
  return new Map([...sums].map(([task, { total, count }]) => [task, total / count]));
}
