import { describeShardCut, missingShards } from '../missing-shards.js';
import { shardsOf } from '../own-header.js';
import type { MergeInput } from './merge-input.js';

/**
 * Why shards do not belong together although there are as many as one plan has: they were cut by
 * different durations. Where every cut is there as a whole, such as those of two nights, all is well.
 */
export function differentCuts(inputs: readonly MergeInput[]): string[] {
  const told = inputs.flatMap(({ file, sources }) =>
    shardsOf(sources).map((shard) => ({ path: file.path, shard })),
  );
  const pathOf = (of: number, cutBy: string | null) =>
    told.find(({ shard }) => shard.of === of && shard.cutBy === cutBy)?.path;
  const seen = new Map<number, string | null>();
  for (const { of, cutBy } of missingShards(told.map(({ shard }) => shard))) {
    if (cutBy === undefined) continue;
    const known = seen.get(of);
    if (known === undefined) {
      seen.set(of, cutBy);
      continue;
    }
    const [one, other] = [known, cutBy].map((by) => `${describeShardCut(by)} in ${pathOf(of, by)}`);
    return [
      `the ${of} shards were cut ${one}, and ${other}, so that task runs are missing or there twice`,
    ];
  }
  return [];
}
