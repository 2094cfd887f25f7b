import {
  fishersExactTest,
  holmCorrection,
  smallestAttainable,
} from '../../base/statistics/exact-tests.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import type { TaskDiff } from './results-diff.js';

/**
 * Two-sided significance level of the total, and of all single tasks together. Only regressions make a check
 * fail, so that each of the two has half of it for false alarms, and both together 5 %.
 */
export const significanceLevel = 0.05;

/** Judged runs that each side of a task needs for a verdict. */
const minJudged = 4;

/**
 * If up to this many times the runs, or the tasks, would settle it, the verdict is `not enough data`. A
 * difference that needs more is negligible: `no change`.
 */
const runsWithinReach = 10;
export const tasksWithinReach = 3;

export interface Sides {
  base: Passes;
  current: Passes;
}

export type TaskVerdict = Pick<
  TaskDiff,
  'difference' | 'pValue' | 'adjusted' | 'verdict' | 'moreRuns'
>;

/** A verdict on every task. The probability of any false alarm among them is at most the level. */
export function decideTaskVerdicts(tasks: readonly Sides[]): TaskVerdict[] {
  const tests = testTasks(tasks, significanceLevel);
  // With more runs, any task that both passed and failed could become significant.
  const mixed = Math.max(1, tasks.filter(isMixed).length);
  return tasks.map((task, index) => {
    const { pValue = null, adjusted = null } = tests[index] ?? {};
    return decideTaskVerdict(task, {
      pValue,
      adjusted,
      runsToSettle: () => estimateMoreRuns(task, significanceLevel / mixed),
    });
  });
}

type TaskTest = Pick<TaskDiff, 'pValue' | 'adjusted'>;

/** Tests every task, with the probability of any false alarm limited to `allowed`. */
export function testTasks(tasks: readonly Sides[], allowed: number): TaskTest[] {
  const tested = tasks.filter(({ base, current }) => countFewerJudged(base, current) >= minJudged);
  const pValues = new Map(
    tested.map((task) => [task, fishersExactTest(task.base, task.current).twoSided]),
  );
  const testable = findTestableTasks(tested, allowed);
  const corrected = holmCorrection(testable.map((task) => pValues.get(task) ?? 1));
  const adjusted = new Map(testable.map((task, index) => [task, corrected[index] ?? 1]));
  return tasks.map((task) => {
    const pValue = pValues.get(task);
    if (pValue === undefined) return { pValue: null, adjusted: null };
    return { pValue, adjusted: adjusted.get(task) ?? 1 };
  });
}

function isMixed({ base, current }: Sides): boolean {
  const passed = base.passed + current.passed;
  return passed > 0 && passed < base.judged + current.judged;
}

/**
 * The tasks that Holm's correction has to count. One whose runs passed and failed so that no way of
 * falling on the two sides would have shown anything cannot raise a false alarm (Tarone 1990).
 */
function findTestableTasks(tasks: readonly Sides[], allowed: number): Sides[] {
  const attainable = tasks.map((task) => smallestAttainable(task.base, task.current));
  const sorted = attainable.toSorted((a, b) => a - b);
  let count = 1;
  while ((sorted[count] ?? 1) <= allowed / count) count++;
  return tasks.filter((_, index) => (attainable[index] ?? 1) <= allowed / count);
}

interface Tested {
  pValue: number | null;
  adjusted: number | null;
  runsToSettle(): number | null;
}

function decideTaskVerdict({ base, current }: Sides, tested: Tested): TaskVerdict {
  const { pValue, adjusted, runsToSettle } = tested;
  const isKnown = base.judged > 0 && current.judged > 0;
  const difference = isKnown ? current.passed / current.judged - base.passed / base.judged : null;
  const figures = { difference, pValue, adjusted };
  if (difference !== null && adjusted !== null && adjusted <= significanceLevel) {
    const verdict = difference < 0 ? 'regression' : 'improvement';
    return { ...figures, verdict, moreRuns: null };
  }
  const fewer = countFewerJudged(base, current);
  const more = runsToSettle();
  const isInReach = more !== null && fewer + more <= runsWithinReach * fewer;
  const verdict = fewer < minJudged || isInReach ? 'not enough data' : 'no change';
  return { ...figures, verdict, moreRuns: more };
}

function countFewerJudged(base: Passes, current: Passes): number {
  return Math.min(base.judged, current.judged);
}

/** If more runs are needed, none are suggested. */
const maxMoreRuns = 500;

/**
 * How many more judged runs on each side would settle it at this level, if both rates stay as they
 * are. Where the rates are alike, how many are missing for a verdict. Null: none, or too many.
 */
function estimateMoreRuns(sides: { base: Passes; current: Passes }, level: number): number | null {
  const { base, current } = sides;
  const missing = minJudged - Math.min(base.judged, current.judged);
  const isAlike = base.passed * current.judged === current.passed * base.judged;
  if (isAlike) return missing > 0 ? missing : null;
  const isSettledBy = (runs: number) => {
    const test = fishersExactTest(growPasses(base, runs), growPasses(current, runs));
    return test.twoSided <= level;
  };
  if (!isSettledBy(maxMoreRuns)) return null;
  let tooFew = Math.max(0, missing - 1);
  let enough = maxMoreRuns;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isSettledBy(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

function growPasses({ passed, judged }: Passes, runs: number): Passes {
  return { passed: Math.round((passed / judged) * (judged + runs)), judged: judged + runs };
}
