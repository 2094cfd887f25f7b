import type { ShardRecord } from './results-header.js';

/** Shards of a plan that are there less often than others of it. */
export interface MissingShards {
  /** How many shards the plan was divided into. */
  of: number;
  /** The first of those that are missing, and how many there are. */
  indexes: number[];
  count: number;
}

/** More than anybody wants to see named. */
const mostIndexes = 10;

/** Evaluations that were done again bring further shards: then each has to be there as often. */
export function missingShards(shards: readonly ShardRecord[]): MissingShards[] {
  return [...timesSeen(shards)].flatMap(([of, times]) => {
    const most = [...times.values()].reduce((left, right) => Math.max(left, right), 0);
    const complete = [...times.values()].filter((count) => count === most).length;
    if (complete === of) return [];
    const indexes: number[] = [];
    const wanted = Math.min(of - complete, mostIndexes);
    for (let index = 1; indexes.length < wanted; index++) {
      if ((times.get(index) ?? 0) < most) indexes.push(index);
    }
    return [{ of, indexes, count: of - complete }];
  });
}

export function missingShardsText({ of, indexes, count }: MissingShards): string {
  const names = indexes.map((index) => `${index}/${of}`);
  if (count === 1) return `shard ${names.join()} is missing`;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `shards ${names.join(', ')}${more} are missing`;
}

/** By the number of shards and their index; an evaluation that several files tell counts once. */
function timesSeen(shards: readonly ShardRecord[]): Map<number, Map<number, number>> {
  const byEvaluation = new Map(shards.map((shard) => [shard.evaluation, shard]));
  const seen = new Map<number, Map<number, number>>();
  for (const { index, of } of byEvaluation.values()) {
    const times = seen.get(of) ?? new Map<number, number>();
    seen.set(of, times);
    times.set(index, (times.get(index) ?? 0) + 1);
  }
  return seen;
}
