import type { Problems } from '../config/problems/problem.js';
import { balancedShardOf } from './balanced-shard.js';
import { type Shard, shardOf } from './shard.js';
import {
  type ShardWeights,
  shardWeights,
  type TaskDurations,
  type WeighedTask,
} from './shard-weights.js';
import type { Suite } from './suite.js';

/** How a plan was cut into shards that take about as long as each other. */
export interface BalancedCut {
  /** Of the durations that were used: every shard of one cut has the same. */
  digest: string;
  /** How long the task runs of this shard take, one after the other. */
  expectedMs: number;
}

interface CutPlan<Run> {
  taskRuns: Run[];
  cut?: BalancedCut;
}

interface CutOptions {
  shard?: Shard;
  shardDurations?: TaskDurations;
  variants?: readonly { name: string }[];
}

/** The task runs that are asked for, of all that there are. */
export function cutPlan<Run extends { task: WeighedTask; parallel: boolean }>(
  suite: Suite,
  tasks: readonly WeighedTask[],
  taskRuns: Run[],
  { shard, shardDurations, variants = [] }: CutOptions,
  problems: Problems,
): CutPlan<Run> {
  if (!shard) return { taskRuns };
  const weights = shardDurations && weightsOf(suite, tasks, { shardDurations, variants }, problems);
  if (!weights) return { taskRuns: shardOf(taskRuns, shard) };
  const weightOf = ({ task }: Run) => weights.weightOf(task);
  const own = balancedShardOf(taskRuns, shard, weightOf);
  const expectedMs = own.reduce((sum, taskRun) => sum + weightOf(taskRun), 0);
  return { taskRuns: own, cut: { digest: weights.digest, expectedMs } };
}

/** Somebody who named the wrong file is told so, and does not wonder why one shard takes all night. */
function weightsOf(
  suite: Suite,
  tasks: readonly WeighedTask[],
  { shardDurations, variants }: Required<Pick<CutOptions, 'shardDurations' | 'variants'>>,
  problems: Problems,
): ShardWeights | undefined {
  const names = variants.map(({ name }) => name);
  const weights = shardWeights(tasks, shardDurations, names);
  if (!weights && tasks.length > 0) {
    const message =
      '--shard-durations tells of no task in this plan: the shards are cut by numbers of task runs';
    problems.atKey(suite.eval.source, ['config', 'taskSets'], 'unknown-durations', message);
  }
  return weights;
}
