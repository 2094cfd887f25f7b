import { computeTaskDurations } from '../analysis/task-durations.js';
import type { PlanOptions } from '../plan/plan.js';
import { openPooled } from '../results/read/pooled-results.js';
import { UsageError } from './exit-codes.js';
import { unreadableResults } from './unreadable-results.js';

/** Adds what the results of `--shard-durations` tell, if it is given. Throws UsageError. */
export async function withShardDurations(
  plan: PlanOptions,
  paths: readonly string[],
): Promise<PlanOptions> {
  if (paths.length === 0) return plan;
  if (!plan.shard) {
    const hint = 'add --shard, such as --shard 1/4, or leave --shard-durations out';
    throw new UsageError('--shard-durations: without --shard there is nothing to cut', hint);
  }
  try {
    return { ...plan, shardDurations: await computeTaskDurations(await openPooled(paths)) };
  } catch (error) {
    throw unreadableResults(paths.join(', '), error);
  }
}
