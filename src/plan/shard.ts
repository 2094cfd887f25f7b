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
export function shardOf<Run extends { parallel: boolean }>(
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
