import * as z from 'zod/mini';
import type { LeftOut } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import { parseShard } from '../../plan/shard.js';
import type { ResultsHeader, ShardRecord } from '../results-header.js';
import { resultsSchema } from '../schema/results-schema.js';

/** The members of a results file that make its header. */
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

/** The one member of the totals that is read; the others are counted again from the task runs. */
export const plannedSchema = z.pick(resultsSchema.shape.totals, { planned: true });

export const ownHeaderKeys: readonly string[] = [...Object.keys(ownHeaderSchema.shape), 'totals'];

const mayBeMissing: readonly string[] = ['sources', 'variants', 'budget', 'rechecked', 'leftOut'];

/** Values for lost members: a run that is not known to have finished has not. */
const fallbacks = { id: '', finished: false, interrupted: false, bailed: false };

/** Whether all required members were read. Optional ones are written before these. */
export function isCompleteHeader(members: ReadonlyMap<string, unknown>): boolean {
  return ownHeaderKeys.every((key) => mayBeMissing.includes(key) || members.has(key));
}

/** Makes a header from the members of a document. Malformed members are left out. */
export function parseHeader(
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
  const onlyRun = id === null ? [] : [{ id, options }];
  const runs = sources && sources.length > 0 ? sources : onlyRun;
  const { eval: evalRecord, startedAt, durationMs, agent, judge, mcpServers } = members;
  const { finished, interrupted, bailed, budget, warnings, rechecked } = members;
  return {
    ...{ id, eval: evalRecord, startedAt, durationMs, agent, variants, judge, mcpServers },
    ...(rechecked && { rechecked }),
    // Without the plan it is not known whether all of it was done.
    finished: finished && planned !== null,
    ...{ interrupted, bailed, warnings },
    budget: budget ?? null,
    evaluations: runs.map((run) => run.id),
    merged: sources !== undefined,
    shards: listShards(runs),
    reruns: runs.filter((run) => run.options['rerun-failed'] !== undefined).map((run) => run.id),
    kind,
    planned,
    open,
  };
}

export function listShards(
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
