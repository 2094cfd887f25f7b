import type { ShardRecord } from './results-header.js';

/** Shards of a plan that are there less often than others of it. */
export interface MissingShards {
  /** How many shards the plan was divided into. */
  of: number;
  /** The first of those that are missing, and how many there are. */
  indexes: number[];
  count: number;
  /** How the others were cut, as shards say it, if there are as many shards that were cut otherwise. */
  cutBy?: string | null;
}

/** More than anybody wants to see named. */
const maxIndexes = 10;

/**
 * Evaluations that were done again bring further shards: then each has to be there as often. Shards of
 * different cuts do not complete each other: what is in one of them can be in another, or in none.
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
  /** By index. */
  times: Map<number, number>;
}

/** An evaluation that several files tell counts once. */
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
