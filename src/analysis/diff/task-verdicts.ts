import {
  fishersExactTest,
  holmCorrection,
  smallestAttainable,
} from '../../base/statistics/exact-tests.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import { leastJudged, level, runsWithinReach } from './level.js';
import { moreRuns } from './more-runs.js';
import type { TaskDiff } from './results-diff.js';

export interface Sides {
  base: Passes;
  current: Passes;
}

export type TaskVerdict = Pick<
  TaskDiff,
  'difference' | 'pValue' | 'adjusted' | 'verdict' | 'moreRuns'
>;

/** A verdict on every task: that any of them is a false alarm is as rare as the level says. */
export function taskVerdicts(tasks: readonly Sides[]): TaskVerdict[] {
  const tests = testsOfTasks(tasks, level);
  // With more runs, any of those that both passed and failed could tell.
  const mixed = Math.max(1, tasks.filter(isMixed).length);
  return tasks.map((task, index) => {
    const { pValue = null, adjusted = null } = tests[index] ?? {};
    return verdictOf(task, {
      pValue,
      adjusted,
      runsToSettle: () => moreRuns(task, level / mixed),
    });
  });
}

type TaskTest = Pick<TaskDiff, 'pValue' | 'adjusted'>;

/** What the runs of tasks show, of which one false alarm among all is one too many. */
export function testsOfTasks(tasks: readonly Sides[], allowed: number): TaskTest[] {
  const tested = tasks.filter(({ base, current }) => fewerJudged(base, current) >= leastJudged);
  const pValues = new Map(
    tested.map((task) => [task, fishersExactTest(task.base, task.current).twoSided]),
  );
  const telling = thoseThatCouldTell(tested, allowed);
  const corrected = holmCorrection(telling.map((task) => pValues.get(task) ?? 1));
  const adjusted = new Map(telling.map((task, index) => [task, corrected[index] ?? 1]));
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
function thoseThatCouldTell(tasks: readonly Sides[], allowed: number): Sides[] {
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

function verdictOf({ base, current }: Sides, tested: Tested): TaskVerdict {
  const { pValue, adjusted, runsToSettle } = tested;
  const isKnown = base.judged > 0 && current.judged > 0;
  const difference = isKnown ? current.passed / current.judged - base.passed / base.judged : null;
  const figures = { difference, pValue, adjusted };
  if (difference !== null && adjusted !== null && adjusted <= level) {
    const verdict = difference < 0 ? 'regression' : 'improvement';
    return { ...figures, verdict, moreRuns: null };
  }
  const fewer = fewerJudged(base, current);
  const more = runsToSettle();
  const isInReach = more !== null && fewer + more <= runsWithinReach * fewer;
  const verdict = fewer < leastJudged || isInReach ? 'not enough data' : 'no change';
  return { ...figures, verdict, moreRuns: more };
}

function fewerJudged(base: Passes, current: Passes): number {
  return Math.min(base.judged, current.judged);
}
