import type { Evaluation } from '../../journal/run-events.js';
import { describeSelector } from '../../plan/labels.js';
import type { Plan } from '../../plan/plan.js';
import { defaultPrefix } from '../../queue/queue-address.js';
import type { CheckOptions } from '../check-options.js';

/** The options that decide what runs, by their names: `--resume` has to be given the same. */
export function recordedOptions(
  options: CheckOptions,
  { cut }: Pick<Plan, 'cut'>,
): Evaluation['options'] {
  const { plan, suite, control, rerunFailed } = options;
  const all: Record<string, Evaluation['options'][string] | undefined> = {
    run: plan.run?.source,
    'label-selector': plan.labels && describeSelector(plan.labels),
    runs: plan.autoRuns ? 'auto' : plan.runs,
    'runs-width': plan.autoRuns?.width,
    'runs-max': plan.autoRuns?.most,
    shard: plan.shard && `${plan.shard.index}/${plan.shard.of}`,
    // What was read there, and not where: shards of one cut may find it at other places.
    'shard-durations': cut?.digest,
    agent: oneOrSeveral(suite.agents?.map(({ written }) => written)),
    model: oneOrSeveral(suite.models),
    'mcp-config-file': oneOrSeveral(suite.mcpConfigFiles?.map(({ value }) => value)),
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

function oneOrSeveral(
  values: readonly string[] | undefined,
): string | readonly string[] | undefined {
  return values?.length === 1 ? values[0] : values;
}

/** The names of options that differ. */
export function changedOptions(
  before: Evaluation['options'],
  now: Evaluation['options'],
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(now[name]);
  return [...names].filter(isChanged).map((name) => `--${name}`);
}

/**
 * As one would write them to run what failed again. Which task runs that are is not part of it; of
 * `--runs auto` it is the most runs that there can be.
 */
export function optionWords(options: CheckOptions): string[] {
  const recorded = recordedOptions(options, {});
  const { 'rerun-failed': _, 'runs-width': __, 'runs-max': most, shard, ...others } = recorded;
  // With a number of runs, a plan would be cut in another way than with --runs auto.
  const all =
    most === undefined ? { ...others, ...(shard && { shard }) } : { ...others, runs: most };
  const words = Object.entries(all).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each) => [`--${name}`, String(each)]);
  });
  const { shardDurations } = options;
  return shardDurations.length > 0 && most === undefined
    ? [...words, '--shard-durations', ...shardDurations]
    : words;
}

/** Where a run that was handed over is, and where its results go. */
export function placeWords({ out, queue }: CheckOptions): string[] {
  return [
    ...(out === undefined ? [] : ['--out', out]),
    ...(queue ? ['--queue', queue.address.shown] : []),
    ...(queue && queue.address.prefix !== defaultPrefix
      ? ['--queue-prefix', queue.address.prefix]
      : []),
  ];
}
