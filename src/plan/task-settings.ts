import { parseDuration } from '../base/duration.js';
import type { Problems } from '../config/problem.js';
import type { DataPath, SourceFile } from '../config/source-file.js';
import { fewestRuns, type RunsRule } from './enough-runs.js';
import type { Suite, SuiteTask } from './suite.js';

/** A line of a file. */
export interface SourceLine {
  file: string;
  line: number;
}

/** Where a setting comes from: a command-line option, or a line of a file. */
export type Origin = { option: string } | SourceLine;

/** The line is found when somebody reads it: that takes reading the file's text once more. */
export function lineOf(file: SourceFile, path: DataPath): SourceLine {
  return {
    file: file.name,
    get line() {
      return file.keyLine(path);
    },
  };
}

/** How often a task runs, and who says so. */
export interface PlannedRuns {
  /** With `--runs auto`, at least. */
  count: number;
  /** With `--runs auto`: at most. */
  upTo?: number;
  from?: Origin;
}

/** A plan is held in memory as a whole. */
const maxTaskRuns = 1_000_000;

/** How often a task runs: as the option says, the task, its task set, or once. */
export function runCountOf({ task, setRuns }: SuiteTask, override?: number): number {
  return override ?? task.runs ?? setRuns?.runs ?? 1;
}

export function runsOf(
  suite: Suite,
  entry: SuiteTask,
  { runs: override, autoRuns }: { runs?: number; autoRuns?: RunsRule },
): PlannedRuns {
  if (autoRuns) {
    return { count: fewestRuns, upTo: autoRuns.most, from: { option: '--runs auto' } };
  }
  const from = runsOrigin(suite, entry, override);
  return { count: runCountOf(entry, override), ...(from ? { from } : {}) };
}

/** With `--runs auto`: the runs of a task that there will be in any case, from its first. */
export function firstRuns<Run extends { task: { runs: PlannedRuns } }>(
  first: Run,
): (Run & { run: number })[] {
  return Array.from({ length: first.task.runs.count }, (_, index) => ({
    ...first,
    run: index + 1,
  }));
}

function runsOrigin(
  { eval: { source } }: Suite,
  { task, setRuns }: SuiteTask,
  override?: number,
): Origin | undefined {
  if (override !== undefined) return { option: '--runs' };
  if (task.runs !== undefined) return lineOf(task.source, ['metadata', 'runs']);
  return setRuns && lineOf(source, setRuns.path);
}

/** Whether a plan can hold so many task runs; if not, that is reported. */
export function checkTotalRuns({ eval: { source } }: Suite, total: number, problems: Problems) {
  if (total <= maxTaskRuns) return true;
  const message = `${total} task runs are more than one evaluation can have (${maxTaskRuns})`;
  problems.atKey(source, ['config', 'taskSets'], 'too-many-runs', message);
  return false;
}

export interface Limit {
  milliseconds: number;
  from: Origin;
}

export interface Limits {
  timeout?: Limit;
  cleanupTimeout?: Limit;
}

/** Durations as given on the command line. */
export interface LimitOptions {
  taskTimeout?: string;
  defaultTaskTimeout?: string;
  cleanupTimeout?: string;
  defaultCleanupTimeout?: string;
}

/** The highest that is given: the option, the task's own, the default option, the eval's default. */
export function limitsOf(suite: Suite, { task }: SuiteTask, options: LimitOptions): Limits {
  const { source, data } = suite.eval;
  const defaults = data.config.defaultTaskLimits ?? {};
  const pick = (
    key: 'timeout' | 'cleanupTimeout',
    override: [string | undefined, string],
    fallback: [string | undefined, string],
  ) =>
    fromOption(...override) ??
    fromFile(task.source, [...task.limitsPath, key], task.limits[key]) ??
    fromOption(...fallback) ??
    fromFile(source, ['config', 'defaultTaskLimits', key], defaults[key]);
  const timeout = pick(
    'timeout',
    [options.taskTimeout, '--task-timeout'],
    [options.defaultTaskTimeout, '--default-task-timeout'],
  );
  const cleanupTimeout = pick(
    'cleanupTimeout',
    [options.cleanupTimeout, '--cleanup-timeout'],
    [options.defaultCleanupTimeout, '--default-cleanup-timeout'],
  );
  return { ...(timeout ? { timeout } : {}), ...(cleanupTimeout ? { cleanupTimeout } : {}) };
}

function fromOption(value: string | undefined, option: string): Limit | undefined {
  return limit(value, () => ({ option }));
}

function fromFile(
  file: SourceFile,
  path: (string | number)[],
  value: string | undefined,
): Limit | undefined {
  return limit(value, () => lineOf(file, path));
}

function limit(value: string | undefined, from: () => Origin): Limit | undefined {
  const parsed = value === undefined ? undefined : parseDuration(value);
  return parsed?.ok ? { milliseconds: parsed.milliseconds, from: from() } : undefined;
}
