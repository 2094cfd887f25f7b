import { parseDuration } from '../base/duration.js';
import type { Problems } from '../config/problems/problem.js';
import type { SourceFile } from '../config/yaml/source-file.js';
import { fewestRuns, type RunsRule } from './enough-runs.js';
import { locateKey, type Origin } from './origin.js';
import type { Suite, SuiteTask } from './suite.js';

/** How often a task runs, and which setting says so. */
export interface PlannedRuns {
  /** With `--runs auto`, at least. */
  count: number;
  /** With `--runs auto`: at most. */
  upTo?: number;
  from?: Origin;
}

/** Bounded, as a plan is held in memory as a whole. */
const maxTaskRuns = 1_000_000;

/** How often a task runs: as the option says, the task, its task set, or once. */
export function countRuns({ definition: task, setRuns }: SuiteTask, override?: number): number {
  return override ?? task.runs ?? setRuns?.runs ?? 1;
}

export function planRuns(
  suite: Suite,
  entry: SuiteTask,
  { runs: override, autoRuns }: { runs?: number | undefined; autoRuns?: RunsRule | undefined },
): PlannedRuns {
  if (autoRuns) {
    return { count: fewestRuns, upTo: autoRuns.most, from: { option: '--runs auto' } };
  }
  const from = findRunsOrigin(suite, entry, override);
  return { count: countRuns(entry, override), ...(from ? { from } : {}) };
}

/** With `--runs auto`: the runs of a task that there will be in any case, from its first. */
export function listFirstRuns<Run extends { task: { runs: PlannedRuns } }>(
  first: Run,
): (Run & { run: number })[] {
  return Array.from({ length: first.task.runs.count }, (_, index) => ({
    ...first,
    run: index + 1,
  }));
}

function findRunsOrigin(
  { eval: { source } }: Suite,
  { definition: task, setRuns }: SuiteTask,
  override?: number,
): Origin | undefined {
  if (override !== undefined) return { option: '--runs' };
  if (task.runs !== undefined) return locateKey(task.source, ['metadata', 'runs']);
  return setRuns && locateKey(source, setRuns.path);
}

/** Whether a plan can hold so many task runs; if not, that is reported. */
export function checkTotalRuns({ eval: { source } }: Suite, total: number, problems: Problems) {
  if (total <= maxTaskRuns) return true;
  const message = `${total} task runs are more than one evaluation can have (${maxTaskRuns})`;
  problems.atKey(source, ['config', 'taskSets'], 'too-many-runs', message);
  return false;
}

export interface TaskTimeout {
  milliseconds: number;
  from: Origin;
}

export interface TaskTimeouts {
  timeout?: TaskTimeout;
  cleanupTimeout?: TaskTimeout;
}

/** Durations as text, from the command line. */
export interface TimeoutOptions {
  taskTimeout?: string | undefined;
  defaultTaskTimeout?: string | undefined;
  cleanupTimeout?: string | undefined;
  defaultCleanupTimeout?: string | undefined;
}

/** Finds the timeouts by precedence: the option, the task's own, the default option, the eval's default. */
export function findTimeouts(
  suite: Suite,
  { definition: task }: SuiteTask,
  options: TimeoutOptions,
): TaskTimeouts {
  const { source, data } = suite.eval;
  const defaults = data.config.defaultTaskLimits ?? {};
  const pick = (
    key: 'timeout' | 'cleanupTimeout',
    override: [string | undefined, string],
    fallback: [string | undefined, string],
  ) =>
    readOption(...override) ??
    readFromFile(task.source, [...task.limitsPath, key], task.limits[key]) ??
    readOption(...fallback) ??
    readFromFile(source, ['config', 'defaultTaskLimits', key], defaults[key]);
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

function readOption(value: string | undefined, option: string): TaskTimeout | undefined {
  return parseTimeout(value, () => ({ option }));
}

function readFromFile(
  file: SourceFile,
  path: (string | number)[],
  value: string | undefined,
): TaskTimeout | undefined {
  return parseTimeout(value, () => locateKey(file, path));
}

function parseTimeout(value: string | undefined, from: () => Origin): TaskTimeout | undefined {
  const parsed = value === undefined ? undefined : parseDuration(value);
  return parsed?.ok ? { milliseconds: parsed.milliseconds, from: from() } : undefined;
}
