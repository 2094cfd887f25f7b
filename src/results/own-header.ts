import * as z from 'zod/mini';
import type { LeftOut } from '../journal/left-out.js';
import { repairValue } from '../journal/repair.js';
import { parseShard } from '../plan/shard.js';
import type { ResultsHeader, ShardRecord } from './results-header.js';
import { resultsSchema } from './results-schema.js';

/** What we read of our results besides their task runs. */
const ownHeaderSchema = z.pick(resultsSchema, {
  id: true,
  sources: true,
  eval: true,
  rechecked: true,
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
  warnings: true,
  leftOut: true,
});

/** Of the totals, all but this is counted by whoever reads the task runs. */
export const plannedSchema = z.pick(resultsSchema.shape.totals, { planned: true });

export const ownHeaderKeys: readonly string[] = [...Object.keys(ownHeaderSchema.shape), 'totals'];

const mayBeMissing: readonly string[] = ['sources', 'variants', 'budget', 'rechecked', 'leftOut'];

/** A run of which it is not known that it came to its end did not. */
const fallbacks = { id: '', finished: false, interrupted: false, bailed: false };

/** Where we write what may be missing, it is before the others. */
export function isWholeHeader(members: ReadonlyMap<string, unknown>): boolean {
  return ownHeaderKeys.every((key) => mayBeMissing.includes(key) || members.has(key));
}

/** What the members of a document say; what is not as it should be is left out. */
export function headerFromOwn(
  found: Record<string, unknown>,
  kind: 'results' | 'journal',
  onLeftOut: (part: LeftOut) => void,
  open: ResultsHeader['open'] = [],
): ResultsHeader {
  const { totals } = found;
  const planned = repairValue(plannedSchema, totals, { place: 'totals', onLeftOut })
    ? totals.planned
    : null;
  const mending = { place: '', onLeftOut, fallbacks };
  // Every member may be left out, or has a fallback.
  if (!repairValue(ownHeaderSchema, found, mending))
    throw new Error('a header without its members');
  const { sources, options, variants = [], leftOut: _, ...members } = found;
  const id = members.id === '' ? null : members.id;
  const own = id === null ? [] : [{ id, options }];
  const all = sources && sources.length > 0 ? sources : own;
  const { eval: evaluated, startedAt, durationMs, agent, judge, mcpServers } = members;
  const { finished, interrupted, bailed, budget, warnings, rechecked } = members;
  return {
    ...{ id, eval: evaluated, startedAt, durationMs, agent, variants, judge, mcpServers },
    ...(rechecked && { rechecked }),
    // What else there was to do is not known either.
    finished: finished && planned !== null,
    ...{ interrupted, bailed, warnings },
    budget: budget ?? null,
    evaluations: all.map((each) => each.id),
    merged: sources !== undefined,
    shards: shardsOf(all),
    reruns: all.filter((each) => each.options['rerun-failed'] !== undefined).map((each) => each.id),
    kind,
    planned,
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
