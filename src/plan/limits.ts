import { parseDuration } from '../base/duration.js';
import type { SourceFile } from '../config/yaml/source-file.js';
import { lineOf, type Origin } from './origin.js';
import type { Suite, SuiteTask } from './suite.js';

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
