import { createHash } from 'node:crypto';
import type { Problems } from '../config/problems/problem.js';
import type { Suite } from './suite.js';

export interface Shard {
  /** From 1. */
  index: number;
  of: number;
}

/** Reads `I/N`; a string is what is wrong with it. */
export function parseShard(text: string): Shard | string {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, of] = [Number(match?.[1]), Number(match?.[2])];
  if (!match) return `expected I/N, such as 1/3, found ${JSON.stringify(text)}`;
  if (of < 1) return `there is no shard of ${of}`;
  if (index < 1 || index > of) return `expected a shard from 1/${of} to ${of}/${of}, found ${text}`;
  return { index, of };
}

/**
 * The task runs of one shard. Sequential ones form one block, in shard 1; the parallel ones fill the
 * other shards until they have caught up with it, and from then on all shards in turn. Depends on
 * nothing but the plan, so that machines that never talk to each other agree.
 */
export function selectShard<Run extends { parallel: boolean }>(
  runs: readonly Run[],
  { index, of }: Shard,
): Run[] {
  const sequential = runs.filter((run) => !run.parallel);
  const toCatchUp = sequential.length * (of - 1);
  const parallel = runs
    .filter((run) => run.parallel)
    .filter((_, position) => {
      const shard =
        position < toCatchUp ? 2 + (position % (of - 1)) : 1 + ((position - toCatchUp) % of);
      return shard === index;
    });
  return index === 1 ? [...sequential, ...parallel] : parallel;
}

/** Milliseconds that a run of a task takes, by the name of the task. */
export type TaskDurations = ReadonlyMap<string, number>;

export interface ShardWeights {
  /** Whole milliseconds of one run. */
  weightOf(task: WeighedTask): number;
  /** A digest of all that decides which shard a task run is in: equal for plans cut the same way. */
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
export function weighTasks(
  tasks: readonly WeighedTask[],
  durations: TaskDurations,
  variants: readonly string[] = [],
): ShardWeights | undefined {
  const known = tasks.flatMap(({ name }) => durations.get(name) ?? []);
  if (known.length === 0) return undefined;
  const mean = known.reduce((sum, duration) => sum + duration, 0) / known.length;
  const weightOf = ({ name }: WeighedTask) => roundMilliseconds(durations.get(name) ?? mean);
  const weighed = tasks.map((task) => [task.name, task.runs.count, weightOf(task), task.parallel]);
  const decisive = JSON.stringify([weighed, variants]);
  const digest = createHash('sha256').update(decisive).digest('hex').slice(0, 16);
  return { weightOf, digest };
}

/** At least one millisecond, so that many short runs are spread, too. */
function roundMilliseconds(duration: number): number {
  return Math.max(1, Math.round(duration));
}

/**
 * The task runs of one shard, where it is known how long each takes: the longest first, each to the
 * shard that has least to do. The heaviest shard then has at most 4/3 - 1/(3N) times what the best
 * of all ways would give it. The sequential ones count as one long task run; whichever shard gets
 * that is called the first, as in `selectShard`. Weights are whole numbers, so that sums are exact, and
 * nothing else decides: machines that never talk to each other agree.
 */
export function selectBalancedShard<Run extends { parallel: boolean }>(
  runs: readonly Run[],
  { index, of }: Shard,
  weightOf: (run: Run) => number,
): Run[] {
  const sequential = runs.filter((run) => !run.parallel);
  const blocks = sequential.length > 0 ? [sequential] : [];
  const pieces = [...blocks, ...runs.filter((run) => run.parallel).map((run) => [run])].map(
    (piece) => ({ piece, weight: piece.reduce((sum, run) => sum + weightOf(run), 0) }),
  );
  // More shards than pieces stay empty, and need no place here.
  const shards = new LeastLoaded(Math.min(of, pieces.length));
  const shardOfPiece = new Map<readonly Run[], number>();
  // Sorting keeps the order of the plan among equals.
  for (const { piece, weight } of [...pieces].sort((one, other) => other.weight - one.weight)) {
    shardOfPiece.set(piece, shards.add(weight) + 1);
  }
  const first = shardOfPiece.get(sequential) ?? 1;
  const wanted = index === 1 ? first : index === first ? 1 : index;
  return pieces.flatMap(({ piece }) => (shardOfPiece.get(piece) === wanted ? piece : []));
}

/**
 * Several bins, of which the least loaded one is known at any time; of equal ones, the first. A heap,
 * as there may be as many bins as task runs.
 */
export class LeastLoaded {
  readonly #loads: Float64Array;
  /** Bins; none has less to carry than the one at (place - 1) / 2. */
  readonly #heap: Uint32Array;

  constructor(bins: number) {
    this.#loads = new Float64Array(bins);
    this.#heap = Uint32Array.from({ length: bins }, (_, bin) => bin);
  }

  /** Adds to the least loaded bin, and says which it was. */
  add(weight: number): number {
    const bin = this.#heap[0] ?? 0;
    this.#loads[bin] = this.#loadOf(bin) + weight;
    this.#sink(bin);
    return bin;
  }

  /** From the root, to where all below it carry more. */
  #sink(bin: number): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      const below = this.#lesserOf(2 * place + 1, 2 * place + 2);
      const next = heap[below];
      if (next === undefined || !this.#isBefore(next, bin)) break;
      heap[place] = next;
      place = below;
    }
    heap[place] = bin;
  }

  #lesserOf(left: number, right: number): number {
    const [one, other] = [this.#heap[left], this.#heap[right]];
    return one !== undefined && other !== undefined && this.#isBefore(other, one) ? right : left;
  }

  #isBefore(one: number, other: number): boolean {
    const difference = this.#loadOf(one) - this.#loadOf(other);
    return difference === 0 ? one < other : difference < 0;
  }

  #loadOf(bin: number): number {
    return this.#loads[bin] ?? 0;
  }
}

/** How a plan was cut into shards that take about as long as each other. */
export interface BalancedCut {
  /** The digest of the durations that were used: every shard of one cut has the same. */
  digest: string;
  /** How long the task runs of this shard take, one after the other. */
  expectedMs: number;
}

interface CutPlan<Run> {
  taskRuns: Run[];
  cut?: BalancedCut;
}

interface CutOptions {
  shard?: Shard | undefined;
  shardDurations?: TaskDurations | undefined;
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
  const weights =
    shardDurations && findWeights(suite, tasks, { shardDurations, variants }, problems);
  if (!weights) return { taskRuns: selectShard(taskRuns, shard) };
  const weightOf = ({ task }: Run) => weights.weightOf(task);
  const selected = selectBalancedShard(taskRuns, shard, weightOf);
  const expectedMs = selected.reduce((sum, taskRun) => sum + weightOf(taskRun), 0);
  return { taskRuns: selected, cut: { digest: weights.digest, expectedMs } };
}

/** Reports durations that name no task of the plan: with a wrong file, one shard could take all night. */
function findWeights(
  suite: Suite,
  tasks: readonly WeighedTask[],
  {
    shardDurations,
    variants,
  }: { shardDurations: TaskDurations; variants: readonly { name: string }[] },
  problems: Problems,
): ShardWeights | undefined {
  const names = variants.map(({ name }) => name);
  const weights = weighTasks(tasks, shardDurations, names);
  if (!weights && tasks.length > 0) {
    const message =
      '--shard-durations has no durations for the tasks in this plan: shards are balanced by the number of task runs';
    problems.atKey(suite.eval.source, ['config', 'taskSets'], 'unknown-durations', message);
  }
  return weights;
}
