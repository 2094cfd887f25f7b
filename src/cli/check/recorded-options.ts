import type { Evaluation } from '../../events/event.js';
import { describeSelector } from '../../plan/labels.js';
import type { CheckOptions } from '../check-options.js';

/** The options that decide what runs, by their names: `--resume` has to be given the same. */
export function recordedOptions(options: CheckOptions): Evaluation['options'] {
  const { plan, suite, agent, model, control, rerunFailed } = options;
  const all: Record<string, string | number | boolean | undefined> = {
    run: plan.run?.source,
    'label-selector': plan.labels && describeSelector(plan.labels),
    runs: plan.runs,
    shard: plan.shard && `${plan.shard.index}/${plan.shard.of}`,
    agent,
    model,
    'mcp-config-file': suite.mcpConfigFile,
    'task-timeout': plan.taskTimeout,
    'default-task-timeout': plan.defaultTaskTimeout,
    'cleanup-timeout': plan.cleanupTimeout,
    'default-cleanup-timeout': plan.defaultCleanupTimeout,
    control: control || undefined,
    'rerun-failed': rerunFailed,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Evaluation['options'];
}

/** The names of options that differ. */
export function changedOptions(
  before: Evaluation['options'],
  now: Evaluation['options'],
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => before[name] !== now[name]).map((name) => `--${name}`);
}

/** As one would write them; which task runs are picked out of earlier results is not part of it. */
export function optionWords({ 'rerun-failed': _, ...options }: Evaluation['options']): string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
}
