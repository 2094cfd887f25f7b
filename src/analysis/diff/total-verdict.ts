import { exactMcNemarTest } from '../../base/statistics/exact-tests.js';
import {
  signFlipTest,
  stratifiedPermutationTest,
} from '../../base/statistics/permutation-tests.js';
import { differenceInterval } from './difference-interval.js';
import { level, tasksWithinReach } from './level.js';
import type { TotalDiff, TotalMethod } from './results-diff.js';
import type { Sides } from './task-verdicts.js';

type TotalVerdict = Omit<TotalDiff, 'base' | 'current' | 'variants'>;

/** With fewer tasks, even if all of them changed the same way, half of the flips are not rare. */
const leastTasks = 1 + Math.ceil(Math.log2(1 / level));
const mostTasks = 1000;

/**
 * A verdict on the suite as a whole, over the tasks that both sides judged. Of a matrix, each variant
 * of a task is a pair of its own, which could as well have fallen the other way round; `taskOf` tells
 * which pairs are of one task.
 */
export function totalVerdict(
  tasks: readonly Sides[],
  taskOf: (index: number) => unknown = (index) => index,
): TotalVerdict {
  const count = tasks.length;
  if (count === 0) return nothingJudged;
  const differences = tasks.map(differenceOf);
  const sum = differences.reduce((total, each) => total + each, 0);
  const tested = test(tasks);
  const figures = {
    tasks: count,
    difference: sum / count,
    ...differenceInterval(tasks, differences, taskOf),
    ...tested,
  };
  if (tested.pValue <= level) {
    return { ...figures, verdict: sum < 0 ? 'regression' : 'improvement', moreTasks: null };
  }
  const more = moreTasks(differences);
  const isInReach = more !== null && count + more <= tasksWithinReach * count;
  const verdict = count < leastTasks || isInReach ? 'not enough data' : 'no change';
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

function differenceOf({ base, current }: Sides): number {
  return current.passed / current.judged - base.passed / base.judged;
}

function test(tasks: readonly Sides[]): { pValue: number; method: TotalMethod } {
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
  // With unlike numbers of runs, chance alone favours one sign: both tests must see it.
  const redealt = stratifiedPermutationTest(
    tasks.map(({ base, current }) => ({ first: base, second: current })),
  );
  return redealt > pValue ? { pValue: redealt, method: 'redealt runs' } : { pValue, method };
}

/** Standard normal quantile of the level, squared: what the flips' sum has to reach. */
const needed = 1.959963984540054 ** 2;

/** If as many again changed in the same way: the flips' sum grows like the number of tasks. */
function moreTasks(differences: readonly number[]): number | null {
  const count = differences.length;
  const missing = leastTasks - count;
  const changed = differences.filter((each) => each !== 0).length;
  const sum = differences.reduce((total, each) => total + each, 0);
  const squares = differences.reduce((total, each) => total + each ** 2, 0);
  // Sums of fractions that make up for each other are zero but for rounding.
  if (Math.abs(sum) < 1e-9) return missing > 0 ? missing : null;
  const forSum = (count * needed * squares) / sum ** 2;
  const forFlips = (count * leastTasks) / changed;
  const more = Math.max(1, missing, Math.ceil(Math.max(forSum, forFlips)) - count);
  return more <= mostTasks ? more : null;
}
