import type { ShardRecord } from './results-header.js';

/** Shards of a plan that are missing, or there less often than others of the same plan. */
export interface MissingShards {
  /** How many shards the plan was divided into. */
  of: number;
  /** Numbers of the first missing shards; `count` is how many are missing in all. */
  indexes: number[];
  count: number;
  /** How the others were cut, if there are also shards of another cut into as many. */
  cutBy?: string | null;
}

/** More missing shards are only counted. */
const maxIndexes = 10;

/**
 * Runs that were repeated bring further shards: then each shard has to be there as often. Shards of
 * different cuts do not complete each other: a task run of one cut can be in several of another, or in none.
 */
export function findMissingShards(shards: readonly ShardRecord[]): MissingShards[] {
  const cuts = groupByCut(shards);
  const cutsInto = new Map<number, number>();
  for (const { of } of cuts) cutsInto.set(of, (cutsInto.get(of) ?? 0) + 1);
  return cuts.flatMap(({ of, cutBy, times }) => {
    const most = [...times.values()].reduce((left, right) => Math.max(left, right), 0);
    const complete = [...times.values()].filter((count) => count === most).length;
    if (complete === of) return [];
    const indexes: number[] = [];
    const wanted = Math.min(of - complete, maxIndexes);
    for (let index = 1; indexes.length < wanted; index++) {
      if ((times.get(index) ?? 0) < most) indexes.push(index);
    }
    const hasOthers = (cutsInto.get(of) ?? 0) > 1;
    return [{ of, indexes, count: of - complete, ...(hasOthers && { cutBy }) }];
  });
}

export function describeMissingShards({ of, indexes, count, cutBy }: MissingShards): string {
  const names = indexes.map((index) => `${index}/${of}`);
  const among = cutBy === undefined ? '' : ` among those cut ${describeShardCut(cutBy)}`;
  if (count === 1) return `shard ${names.join()} is missing${among}`;
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  return `shards ${names.join(', ')}${more} are missing${among}`;
}

export function describeShardCut(cutBy: string | null): string {
  return cutBy === null ? 'without durations' : `by the durations ${cutBy}`;
}

/** One way in which a plan was divided, and how often each of its shards is there. */
interface Cut {
  of: number;
  cutBy: string | null;
  /** How often each shard is there, by index. */
  times: Map<number, number>;
}

/** Groups shards by cut; a run that is in several files counts once. */
function groupByCut(shards: readonly ShardRecord[]): Cut[] {
  const byEvaluation = new Map(shards.map((shard) => [shard.evaluation, shard]));
  const cuts = new Map<string, Cut>();
  for (const { index, of, cutBy } of byEvaluation.values()) {
    const key = JSON.stringify([of, cutBy]);
    const cut = cuts.get(key) ?? { of, cutBy, times: new Map() };
    cuts.set(key, cut);
    cut.times.set(index, (cut.times.get(index) ?? 0) + 1);
  }
  return [...cuts.values()];
}
