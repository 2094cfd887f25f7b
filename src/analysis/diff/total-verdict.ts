import { exactMcNemarTest } from '../../base/statistics/exact-tests.js';
import { type Interval, studentTQuantile } from '../../base/statistics/intervals.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import {
  signFlipTest,
  stratifiedPermutationTest,
} from '../../base/statistics/permutation-tests.js';
import type { TotalDiff, TotalMethod } from './results-diff.js';
import { type Sides, significanceLevel, tasksWithinReach } from './task-verdicts.js';

type TotalVerdict = Omit<TotalDiff, 'base' | 'current' | 'variants'>;

/** With fewer tasks no result is significant, even if all of them changed in the same way. */
const minTasks = 1 + Math.ceil(Math.log2(1 / significanceLevel));
const maxMoreTasks = 1000;

/**
 * A verdict on the suite as a whole, over the tasks that both sides judged. In a matrix each variant of a task is
 * a pair of its own, which chance could have turned the other way; `taskOf` returns the task of a pair.
 */
export function decideTotalVerdict(
  tasks: readonly Sides[],
  taskOf: (index: number) => unknown = (index) => index,
): TotalVerdict {
  const count = tasks.length;
  if (count === 0) return nothingJudged;
  const differences = tasks.map(computeDifference);
  const sum = differences.reduce((total, value) => total + value, 0);
  const tested = testTotal(tasks);
  const figures = {
    tasks: count,
    difference: sum / count,
    ...computeDifferenceInterval(tasks, differences, taskOf),
    ...tested,
  };
  if (tested.pValue <= significanceLevel) {
    return { ...figures, verdict: sum < 0 ? 'regression' : 'improvement', moreTasks: null };
  }
  const more = estimateMoreTasks(differences);
  const isInReach = more !== null && count + more <= tasksWithinReach * count;
  const verdict = count < minTasks || isInReach ? 'not enough data' : 'no change';
  return { ...figures, verdict, moreTasks: more };
}

const nothingJudged: TotalVerdict = {
  tasks: 0,
  difference: null,
  low: null,
  high: null,
  pValue: null,
  method: null,
  verdict: 'not enough data',
  moreTasks: null,
};

function computeDifference({ base, current }: Sides): number {
  return current.passed / current.judged - base.passed / base.judged;
}

function testTotal(tasks: readonly Sides[]): { pValue: number; method: TotalMethod } {
  if (tasks.every(({ base, current }) => base.judged === 1 && current.judged === 1)) {
    const worse = tasks.filter(({ base, current }) => current.passed < base.passed).length;
    const better = tasks.filter(({ base, current }) => current.passed > base.passed).length;
    return { pValue: exactMcNemarTest(worse, better), method: 'exact McNemar' };
  }
  const { pValue, isExact } = signFlipTest(
    tasks.map(({ base, current }) => ({
      numerator: current.passed * base.judged - base.passed * current.judged,
      denominator: base.judged * current.judged,
    })),
  );
  const method = isExact ? 'exact sign-flip' : 'sampled sign-flip';
  if (tasks.every(({ base, current }) => base.judged === current.judged)) return { pValue, method };
  // With different numbers of runs chance favours one sign, so both tests have to show the difference.
  const redealt = stratifiedPermutationTest(
    tasks.map(({ base, current }) => ({ first: base, second: current })),
  );
  return redealt > pValue ? { pValue: redealt, method: 'redealt runs' } : { pValue, method };
}

/** Square of the standard normal quantile of the level, which the sum of the differences has to reach. */
const neededSquare = 1.959963984540054 ** 2;

/** Estimates how many more tasks would settle it if they change in the same way; null if too many or none. */
function estimateMoreTasks(differences: readonly number[]): number | null {
  const count = differences.length;
  const missing = minTasks - count;
  const changed = differences.filter((value) => value !== 0).length;
  const sum = differences.reduce((total, value) => total + value, 0);
  const squares = differences.reduce((total, value) => total + value ** 2, 0);
  // Fractions that cancel each other out sum to zero but for rounding.
  if (Math.abs(sum) < 1e-9) return missing > 0 ? missing : null;
  const forSum = (count * neededSquare * squares) / sum ** 2;
  const forFlips = (count * minTasks) / changed;
  const more = Math.max(1, missing, Math.ceil(Math.max(forSum, forFlips)) - count);
  return more <= maxMoreTasks ? more : null;
}

const z = 1.959963984540054;

/**
 * Interval (95 %) of the mean difference: by the variation between tasks, or by the chance in their runs,
 * whichever is larger. Tasks that all changed alike do not prove that the next one does. Several variants of a
 * task count as one task.
 */
function computeDifferenceInterval(
  pairs: readonly Sides[],
  differences: readonly number[],
  taskOf: (index: number) => unknown,
): Interval {
  const count = differences.length;
  const mean = differences.reduce((sum, value) => sum + value, 0) / count;
  const deviations = new Map<unknown, number>();
  for (const [index, difference] of differences.entries()) {
    const task = taskOf(index);
    deviations.set(task, (deviations.get(task) ?? 0) + difference - mean);
  }
  const tasks = deviations.size;
  const squares = [...deviations.values()].reduce((sum, value) => sum + value ** 2, 0);
  const reachOfTasks =
    tasks < 2
      ? 0
      : (studentTQuantile(tasks - 1) * Math.sqrt((squares * tasks) / (tasks - 1))) / count;
  const variances = pairs.map(
    ({ base, current }) => estimateVariance(base) + estimateVariance(current),
  );
  const reachOfRuns = (z * Math.sqrt(variances.reduce((sum, value) => sum + value, 0))) / count;
  const reach = Math.max(reachOfTasks, reachOfRuns);
  return { low: Math.max(-1, mean - reach), high: Math.min(1, mean + reach) };
}

/** Variance of a rate, with one pass and one failure added (Agresti and Caffo 2000). */
function estimateVariance({ passed, judged }: Passes): number {
  const rate = (passed + 1) / (judged + 2);
  return (rate * (1 - rate)) / (judged + 2);
}
