import type { Passes } from './passes.js';
import { type Interval, wilsonInterval } from './wilson-interval.js';

/**
 * Interval of the share of runs that passed, where the runs of one task belong
 * together: twenty runs of a task say less of the next task than twenty tasks do. Wilson's interval
 * for as many independent runs as these are worth. Undefined without runs.
 */
export function clusteredInterval(
  tasks: readonly Passes[],
  confidence = 0.95,
): Interval | undefined {
  const { passed, judged } = totalOf(tasks);
  if (judged === 0) return undefined;
  const worth = judged / designEffect(tasks.filter((task) => task.judged > 0));
  return wilsonInterval((passed / judged) * worth, worth, confidence);
}

/**
 * By how much the runs vary more than as many independent ones would: from 1 to the size of a task,
 * where all runs of a task end alike. A task that only passed and one that only failed are put
 * beside those seen, so that few tasks, or some that are all alike, do not look like certainty.
 */
function designEffect(tasks: readonly Passes[]): number {
  const { judged } = totalOf(tasks);
  if (tasks.length < 2) return 1;
  const size = judged / tasks.length;
  const padded = [...tasks, { passed: size, judged: size }, { passed: 0, judged: size }];
  const total = totalOf(padded);
  const rate = total.passed / total.judged;
  // A task with most of the runs draws the rate to itself: it is held against that of the others.
  const squares = padded.reduce((sum, task) => {
    const others = 1 - task.judged / total.judged;
    return sum + ((task.passed - rate * task.judged) / others) ** 2;
  }, 0);
  const seen = ((padded.length - 1) / padded.length) * squares;
  const independent = total.judged * rate * (1 - rate);
  const largest = tasks.reduce((sum, task) => sum + task.judged ** 2, 0) / judged;
  return Math.min(largest, Math.max(1, seen / independent));
}

function totalOf(tasks: readonly Passes[]): Passes {
  return tasks.reduce(
    (total, { passed, judged }) => ({
      passed: total.passed + passed,
      judged: total.judged + judged,
    }),
    { passed: 0, judged: 0 },
  );
}
