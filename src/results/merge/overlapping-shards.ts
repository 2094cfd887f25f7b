import { formatTaskName } from '../../journal/task-run-events.js';
import { shardsOf } from '../own-header.js';
import type { ShardRecord } from '../results-header.js';
import type { MergeInput } from './merge-input.js';

/**
 * Why shards do not belong together: different ones of a plan never have the same task run, so two that
 * do were cut from different plans, and others of its task runs may be nowhere.
 */
export function overlappingShards(inputs: readonly MergeInput[]): string[] {
  const shards = new Map(
    inputs.flatMap(({ sources }) => shardsOf(sources)).map((each) => [each.evaluation, each]),
  );
  const owners = new Map<string, ShardRecord>();
  for (const { from, summary } of inputs.flatMap(({ taskRuns }) => taskRuns)) {
    const shard = shards.get(from.id);
    if (!shard) continue;
    const { task, variant } = summary;
    const key = JSON.stringify([shard.of, shard.cutBy, task, variant, from.run]);
    const known = owners.get(key);
    if (known && known.index !== shard.index) {
      const both = [known, shard].map(({ index, of }) => `${index}/${of}`).sort();
      const which = `run ${from.run} of ${formatTaskName({ task, variant })}`;
      return [`${which} is in shard ${both.join(' and in shard ')}: their plans were not the same`];
    }
    owners.set(key, shard);
  }
  return [];
}
