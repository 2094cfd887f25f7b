import { type Interval, studentTQuantile } from '../../base/statistics/intervals.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import type { Sides } from './task-verdicts.js';

const z = 1.959963984540054;

/**
 * Interval (95 %) of the mean difference: by how much tasks differ from each other in it, or by the
 * chance in their runs, whichever is more. Tasks that all changed alike are no proof that the next
 * one does. Several variants of a task are one task, and no proof of another one either.
 */
export function differenceInterval(
  pairs: readonly Sides[],
  differences: readonly number[],
  taskOf: (index: number) => unknown,
): Interval {
  const count = differences.length;
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  const deviations = new Map<unknown, number>();
  for (const [index, each] of differences.entries()) {
    const task = taskOf(index);
    deviations.set(task, (deviations.get(task) ?? 0) + each - mean);
  }
  const tasks = deviations.size;
  const squares = [...deviations.values()].reduce((sum, each) => sum + each ** 2, 0);
  const ofTasks =
    tasks < 2
      ? 0
      : (studentTQuantile(tasks - 1) * Math.sqrt((squares * tasks) / (tasks - 1))) / count;
  const variances = pairs.map(({ base, current }) => varianceOf(base) + varianceOf(current));
  const ofRuns = (z * Math.sqrt(variances.reduce((sum, each) => sum + each, 0))) / count;
  const reach = Math.max(ofTasks, ofRuns);
  return { low: Math.max(-1, mean - reach), high: Math.min(1, mean + reach) };
}

/** Of a rate, with a pass and a failure put beside what was seen (Agresti and Caffo 2000). */
function varianceOf({ passed, judged }: Passes): number {
  const rate = (passed + 1) / (judged + 2);
  return (rate * (1 - rate)) / (judged + 2);
}
