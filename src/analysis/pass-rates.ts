import { clusteredInterval, type Interval, wilsonInterval } from '../base/statistics/intervals.js';
import { type Passes, passAtK, passHatK } from '../base/statistics/pass-at-k.js';
import type { Outcome } from '../journal/task-run-events.js';

/**
 * Every rate, interval and count of passes that Proctor shows is computed here: the end of a check, `summary`,
 * `verify`, `diff`, `compare`, the reporters and the page of the HTML report use these functions, so that the
 * same results have the same numbers everywhere.
 */

export type OutcomeCounts = Record<Outcome, number>;

/**
 * How many of the task runs that could be judged passed. Judged are those that passed, failed or ran
 * into their time limit: one that ended in an error says nothing about the server, and one that was
 * cancelled says nothing at all.
 */
export interface Rate {
  passed: number;
  judged: number;
  /** Null: nothing was judged. */
  rate: number | null;
  /** 95 % interval. */
  low: number | null;
  high: number | null;
}

/** pass@k and pass^k of a task, by the unbiased estimators over its judged runs. */
export interface PassWithK {
  k: number;
  /** pass@k: at least one of k passes. */
  any: number;
  /** pass^k: all of k pass. */
  all: number;
}

/** Means of pass@k and pass^k over a number of tasks. */
export interface MeanPassWithK extends PassWithK {
  tasks: number;
}

/** Outcomes of the runs of a task, or of one variant of it. */
export interface TaskOutcomes {
  /** The same for all variants of the task. */
  task: string | number;
  outcomes: OutcomeCounts;
}

/** Figures of a set of task runs. */
export interface PassFigures {
  taskRuns: number;
  outcomes: OutcomeCounts;
  /** The interval respects that the runs of one task belong together, also those of variants. */
  rate: Rate;
  /** Different tasks with a task run: a task of a matrix is one, whatever its variants. */
  tasks: number;
  /** Tasks all of whose task runs passed, with every variant. */
  tasksPassed: number;
  /** Of a matrix, each variant of a task counts for itself. */
  passWithK: MeanPassWithK[];
}

/** Computes the figures from the outcomes of each task, or of each variant of a task. */
export function computePassFigures(tasks: readonly TaskOutcomes[]): PassFigures {
  const byTask = groupOutcomesByTask(tasks);
  const outcomes = sumOutcomes(byTask);
  return {
    taskRuns: countTaskRuns(outcomes),
    outcomes,
    rate: computeClusteredRate(byTask.map(countPasses)),
    tasks: byTask.length,
    tasksPassed: byTask.filter((counts) => counts.passed === countTaskRuns(counts)).length,
    passWithK: computeMeanPassWithK(tasks.map((each) => countPasses(each.outcomes))),
  };
}

function groupOutcomesByTask(tasks: readonly TaskOutcomes[]): OutcomeCounts[] {
  const byTask = new Map<string | number, OutcomeCounts[]>();
  for (const { task, outcomes } of tasks) {
    if (countTaskRuns(outcomes) === 0) continue;
    const known = byTask.get(task);
    if (known) known.push(outcomes);
    else byTask.set(task, [outcomes]);
  }
  return [...byTask.values()].map(sumOutcomes);
}

export function makeOutcomeCounts(): OutcomeCounts {
  return { passed: 0, failed: 0, timeout: 0, error: 0, cancelled: 0 };
}

export function countOutcomes(outcomes: Iterable<Outcome>): OutcomeCounts {
  const counts = makeOutcomeCounts();
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

export function sumOutcomes(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = makeOutcomeCounts();
  for (const counts of all) {
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.timeout += counts.timeout;
    sum.error += counts.error;
    sum.cancelled += counts.cancelled;
  }
  return sum;
}

export function countTaskRuns(counts: OutcomeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function countPasses({ passed, failed, timeout }: OutcomeCounts): Passes {
  return { passed, judged: passed + failed + timeout };
}

/** Whether some judged runs of a task passed, and some did not. */
export function isFlaky({ passed, judged }: Passes): boolean {
  return passed > 0 && passed < judged;
}

/** The rate of one task. */
export function computeRate({ passed, judged }: Passes): Rate {
  return makeRate({ passed, judged }, wilsonInterval(passed, judged));
}

/** The rate over several tasks: its interval respects that runs of one task belong together. */
export function computeClusteredRate(tasks: readonly Passes[], confidence?: number): Rate {
  const passed = tasks.reduce((sum, task) => sum + task.passed, 0);
  const judged = tasks.reduce((sum, task) => sum + task.judged, 0);
  return makeRate({ passed, judged }, clusteredInterval(tasks, confidence));
}

function makeRate({ passed, judged }: Passes, interval: Interval | undefined): Rate {
  if (!interval) return { passed, judged, rate: null, low: null, high: null };
  return { passed, judged, rate: passed / judged, ...interval };
}

/** The k that are shown. */
const numbersOfRuns = [2, 3, 4, 5, 10, 20, 50, 100];

/** pass@k and pass^k of one task, for some k up to the number of its judged runs. */
export function computePassWithK({ passed, judged }: Passes): PassWithK[] {
  return numbersOfRuns
    .filter((k) => k <= judged)
    .map((k) => ({ k, any: passAtK(judged, passed, k), all: passHatK(judged, passed, k) }));
}

/**
 * pass@k and pass^k over several tasks, for some k up to the judged runs of the task that has the fewest.
 * They are means over the same tasks for every k, all that were judged: with others for each k, the chance
 * that all of k runs pass could seem to grow with k; and a task that fails in every run that could be judged
 * must not go missing because one could not.
 */
export function computeMeanPassWithK(tasks: readonly Passes[]): MeanPassWithK[] {
  const judgedTasks = tasks.filter(({ judged }) => judged > 0);
  const most = Math.min(...judgedTasks.map(({ judged }) => judged));
  const count = judgedTasks.length;
  return numbersOfRuns
    .filter((k) => count > 0 && k <= most)
    .map((k) => {
      const mean = (of: typeof passHatK) =>
        judgedTasks.reduce((sum, { judged, passed }) => sum + of(judged, passed, k), 0) / count;
      return { k, any: mean(passAtK), all: mean(passHatK), tasks: count };
    });
}
