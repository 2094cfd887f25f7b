import { didYouMean } from '../base/nearest.js';
import type { Task } from '../config/files/task-file.js';
import type { Pattern } from '../config/patterns/pattern.js';
import type { Problems } from '../config/problems/problem.js';
import type { Judging } from '../journal/task-run-events.js';
import type { RunsRule } from './enough-runs.js';
import { digestJudging } from './judging.js';
import {
  describeNoMatch,
  describeSelector,
  type LabelSelector,
  matchesSelector,
} from './labels.js';
import type { Variant } from './matrix.js';
import { locateKey, type SourceLine } from './origin.js';
import { type BalancedCut, cutPlan, type Shard, type TaskDurations } from './shard.js';
import type { Suite, SuiteTask } from './suite.js';
import {
  checkTotalRuns,
  findTimeouts,
  listFirstRuns,
  type PlannedRuns,
  planRuns,
  type TaskTimeouts,
  type TimeoutOptions,
} from './task-settings.js';

export interface PlanOptions extends TimeoutOptions {
  /** Task names, unanchored. */
  run?: Pattern | undefined;
  labels?: LabelSelector | undefined;
  runs?: number | undefined;
  /** Replaces `runs`: every task runs until its results say that it is enough. */
  autoRuns?: RunsRule | undefined;
  shard?: Shard | undefined;
  /** The variants of the matrix; undefined or empty: there is no matrix. */
  variants?: readonly Variant[];
  /** How long tasks took: with `shard`, cuts shards that take about as long as each other. */
  shardDurations?: TaskDurations | undefined;
}

/** An assertion that applies to a task, and where it is written. */
export interface PlannedAssertion {
  name: string;
  expected: unknown;
  at: SourceLine;
}

export interface PlannedTask {
  /** The task as its file has it. */
  definition: Task;
  name: string;
  file: string;
  difficulty?: string;
  labels: Readonly<Record<string, string>>;
  parallel: boolean;
  /** The runs of the whole plan, also where a shard has only some of them. */
  runs: PlannedRuns;
  limits: TaskTimeouts;
  assertions: PlannedAssertion[];
  /** What judges its runs, by digests that results carry. */
  judging: Judging;
}

/** One run of a task; `run` counts from 1. */
export interface TaskRun {
  task: PlannedTask;
  run: number;
  parallel: boolean;
  /** The variant that does it; undefined: there is no matrix. */
  variant?: Variant;
}

/** Which task runs happen, in which order: the sequential ones first, then the parallel ones. */
export interface Plan {
  name: string;
  file: string;
  tasks: PlannedTask[];
  /** Empty: there is no matrix. */
  variants: readonly Variant[];
  taskRuns: TaskRun[];
  /** How the shard was cut, if it was cut by durations. */
  cut?: BalancedCut;
}

/** Makes the plan, in the same way for `list` and `check`. */
export function makePlan(suite: Suite, options: PlanOptions, problems: Problems): Plan {
  const selected = select(suite, options, problems);
  const planned = selected.map((task) => planTask(suite, task, options));
  const ordered = [...planned.filter((task) => !task.parallel), ...planned.filter(isParallel)];
  const { variants = [] } = options;
  const runs = ordered.reduce((sum, task) => sum + (task.runs.upTo ?? task.runs.count), 0);
  const total = runs * Math.max(1, variants.length);
  if (!checkTotalRuns(suite, total, problems)) ordered.length = 0;
  // The number of runs is decided by all results of a task: with `--runs auto` it stays in one shard.
  const runsOfTask = (task: PlannedTask) => (options.autoRuns ? 1 : task.runs.count);
  const all = ordered.flatMap((task) => listTaskRuns(task, runsOfTask(task), variants));
  const { taskRuns: selectedRuns, cut } = cutPlan(suite, ordered, all, options, problems);
  const taskRuns = options.autoRuns ? selectedRuns.flatMap(listFirstRuns) : selectedRuns;
  const used = new Set(taskRuns.map((run) => run.task));
  return {
    name: suite.eval.data.metadata.name,
    file: suite.eval.source.name,
    tasks: ordered.filter((task) => used.has(task)),
    variants,
    taskRuns,
    ...(cut && {
      cut: { ...cut, expectedMs: cut.expectedMs * (taskRuns.length / selectedRuns.length || 1) },
    }),
  };
}

/** With `--runs auto`, each stands for all runs of a task, or of a variant of it. */
export function countFirstRuns(taskRuns: readonly TaskRun[]): number {
  return taskRuns.filter(({ run }) => run === 1).length;
}

/** Variants do a run one after the other: whatever changes with time, it changes for all of them. */
function listTaskRuns(task: PlannedTask, runs: number, variants: readonly Variant[]): TaskRun[] {
  const { parallel } = task;
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((run): TaskRun[] =>
    variants.length === 0
      ? [{ task, run, parallel }]
      : variants.map((variant) => ({ task, run, parallel, variant })),
  );
}

const isParallel = (task: PlannedTask) => task.parallel;

function select(suite: Suite, { run, labels }: PlanOptions, problems: Problems): SuiteTask[] {
  const { source } = suite.eval;
  const at = ['config', 'taskSets'];
  const named = run
    ? suite.tasks.filter(({ definition }) => run.test(definition.name))
    : suite.tasks;
  if (run && named.length === 0 && suite.tasks.length > 0) {
    const names = suite.tasks.map(({ definition }) => definition.name);
    const message = `--run ${run.source} ${describeNoMatch(names.length)}`;
    problems.atKey(source, at, 'nothing-selected', message, didYouMean(run.source, names));
  }
  if (!labels || named.length === 0) return named;
  const selected = named.filter(({ definition }) => matchesSelector(definition.labels, labels));
  if (selected.length === 0) {
    const message = `--label-selector ${describeSelector(labels)} ${describeNoMatch(named.length)}`;
    problems.atKey(source, at, 'nothing-selected', message);
    return selected;
  }
  for (const [key, values] of labels) {
    for (const value of values) {
      if (suite.tasks.some(({ definition }) => definition.labels[key] === value)) continue;
      problems.atKey(source, at, 'unused-label', `no task has the label ${key}=${value}`);
    }
  }
  return selected;
}

function planTask(suite: Suite, entry: SuiteTask, options: PlanOptions): PlannedTask {
  const { definition: task } = entry;
  const limits = findTimeouts(suite, entry, options);
  const assertions = entry.assertions.flatMap(({ file, path, data }) =>
    Object.entries(data).map(([name, expected]) => ({
      name,
      expected,
      at: locateKey(file, [...path, name]),
    })),
  );
  return {
    definition: task,
    name: task.name,
    file: task.source.name,
    ...(task.difficulty === undefined ? {} : { difficulty: task.difficulty }),
    labels: task.labels,
    parallel: task.parallel,
    runs: planRuns(suite, entry, options),
    limits,
    assertions,
    judging: digestJudging(suite, { task, assertions, limits }),
  };
}
