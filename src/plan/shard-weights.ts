import { createHash } from 'node:crypto';

/** Milliseconds that a run of a task takes, by the name of the task. */
export type TaskDurations = ReadonlyMap<string, number>;

export interface ShardWeights {
  /** Whole milliseconds of one run. */
  weightOf(task: WeighedTask): number;
  /** Of all that decides which shard a task run is in: the same where a plan was cut the same way. */
  digest: string;
}

export interface WeighedTask {
  name: string;
  runs: { count: number };
  parallel: boolean;
}

/**
 * What the runs of a plan's tasks weigh. A task of which nothing is known counts like the mean of the
 * others. Undefined: nothing is known of any.
 */
export function shardWeights(
  tasks: readonly WeighedTask[],
  durations: TaskDurations,
  variants: readonly string[] = [],
): ShardWeights | undefined {
  const known = tasks.flatMap(({ name }) => durations.get(name) ?? []);
  if (known.length === 0) return undefined;
  const mean = known.reduce((sum, duration) => sum + duration, 0) / known.length;
  const weightOf = ({ name }: WeighedTask) => wholeMilliseconds(durations.get(name) ?? mean);
  const weighed = tasks.map((task) => [task.name, task.runs.count, weightOf(task), task.parallel]);
  const decisive = JSON.stringify([weighed, variants]);
  const digest = createHash('sha256').update(decisive).digest('hex').slice(0, 16);
  return { weightOf, digest };
}

/** Nothing is done in no time: many short ones are to be spread, too. */
function wholeMilliseconds(duration: number): number {
  return Math.max(1, Math.round(duration));
}
