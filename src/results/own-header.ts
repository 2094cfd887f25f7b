import * as z from 'zod/mini';
import { parseShard } from '../plan/shard.js';
import type { ResultsHeader, ShardRecord } from './results-header.js';
import { resultsSchema } from './results-schema.js';

/** What we read of our results besides their task runs. */
export const ownHeaderSchema = z.pick(resultsSchema, {
  id: true,
  sources: true,
  eval: true,
  startedAt: true,
  durationMs: true,
  agent: true,
  variants: true,
  judge: true,
  options: true,
  mcpServers: true,
  finished: true,
  interrupted: true,
  bailed: true,
  budget: true,
  totals: true,
  warnings: true,
});

export const ownHeaderKeys: readonly string[] = Object.keys(ownHeaderSchema.shape);

const mayBeMissing: readonly string[] = ['sources', 'variants', 'budget'];

/** Where we write what may be missing, it is before the others. */
export function isWholeHeader(members: ReadonlyMap<string, unknown>): boolean {
  return ownHeaderKeys.every((key) => mayBeMissing.includes(key) || members.has(key));
}

export function headerFromOwn(
  { totals, sources, options, variants = [], ...members }: z.infer<typeof ownHeaderSchema>,
  kind: 'results' | 'journal',
  open: ResultsHeader['open'] = [],
): ResultsHeader {
  const all = sources ?? [{ id: members.id, options }];
  return {
    ...members,
    variants,
    budget: members.budget ?? null,
    evaluations: all.map(({ id }) => id),
    merged: sources !== undefined,
    shards: shardsOf(all),
    reruns: all
      .filter(({ options: { 'rerun-failed': of } }) => of !== undefined)
      .map(({ id }) => id),
    kind,
    planned: totals.planned,
    open,
  };
}

export function shardsOf(
  evaluations: readonly { id: string; options: Readonly<Record<string, unknown>> }[],
): ShardRecord[] {
  return evaluations.flatMap(({ id, options }) => {
    const shard = typeof options.shard === 'string' ? parseShard(options.shard) : '';
    const { 'shard-durations': cutBy } = options;
    return typeof shard === 'string'
      ? []
      : [{ evaluation: id, ...shard, cutBy: typeof cutBy === 'string' ? cutBy : null }];
  });
}
