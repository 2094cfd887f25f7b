import type * as z from 'zod/mini';
import type { SpentBudget } from '../journal/run-events.js';
import type { TaskRunRef } from '../journal/task-run-events.js';
import type { resultsSchema } from './schema/results-schema.js';

/** Members of a results file of Proctor that the header takes over unchanged. */
export type OwnHeader = Pick<
  z.infer<typeof resultsSchema>,
  'agent' | 'eval' | 'mcpServers' | 'rechecked' | 'variants' | 'warnings'
>;
export type AgentRecord = OwnHeader['agent'];
export type ServerRecord = OwnHeader['mcpServers'][number];
export type VariantRecord = NonNullable<OwnHeader['variants']>[number];

/** A run that did one part of its plan (`--shard`). */
export interface ShardRecord {
  /** Id of the run. */
  evaluation: string;
  /** Number of the shard, from 1. */
  index: number;
  of: number;
  /** Digest of the durations that the plan was cut by. Null: it was cut by number of task runs. */
  cutBy: string | null;
}

/** What a file of results says besides its task runs. Null: this kind of results does not say. */
export interface ResultsHeader {
  kind: 'results' | 'journal' | 'mcpchecker' | 'recording';
  /** Id of the run, the same in its results and its journal. */
  id: string | null;
  /** Ids of the runs in the file: of merged results several, otherwise only `id`. */
  evaluations: string[];
  /** The file comes from `result merge`. */
  merged: boolean;
  /** Runs in the file that are shards. */
  shards: ShardRecord[];
  /** Ids of the runs that repeated only what did not pass before (`--rerun-failed`). */
  reruns: string[];
  eval: OwnHeader['eval'] | null;
  /** Verdicts are those of `recheck`, not of the run. Undefined: they are of the run. */
  rechecked?: OwnHeader['rechecked'];
  startedAt: string | null;
  durationMs: number | null;
  /** The agent; also null if variants have different agents. */
  agent: AgentRecord | null;
  /** Variants of the matrix; empty if there is no matrix. */
  variants: VariantRecord[];
  judge: AgentRecord | null;
  mcpServers: ServerRecord[];
  /** False if the run was killed, or still goes on. */
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The budget that was reached, so that task runs were left out. */
  budget: SpentBudget | null;
  /** Number of task runs that were planned. */
  planned: number | null;
  /** Task runs that have started and have no verdict yet; only a journal has them. */
  open: TaskRunRef[];
  warnings: OwnHeader['warnings'];
}

/** A header that says nothing but what kind of file it is of. */
export function makeEmptyHeader(kind: ResultsHeader['kind']): ResultsHeader {
  return {
    kind,
    id: null,
    evaluations: [],
    merged: false,
    shards: [],
    reruns: [],
    eval: null,
    startedAt: null,
    durationMs: null,
    agent: null,
    variants: [],
    judge: null,
    mcpServers: [],
    finished: false,
    interrupted: false,
    bailed: false,
    budget: null,
    planned: null,
    open: [],
    warnings: [],
  };
}

/** The agent of a variant. Null: the results do not say, or have no such variant. */
export function findVariantAgent(
  { agent, variants }: Pick<ResultsHeader, 'agent' | 'variants'>,
  variant: string | null,
): AgentRecord {
  if (variant === null) return agent;
  return variants.find(({ name }) => name === variant)?.agent ?? null;
}

/** The servers of a variant: with several MCP configs, variants have different ones. */
export function listVariantServers(
  { mcpServers, variants }: Pick<ResultsHeader, 'mcpServers' | 'variants'>,
  variant: string | null,
): ServerRecord[] {
  const known = variants.find(({ name }) => name === variant);
  return mcpServers.filter(
    ({ mcpConfigFile }) => mcpConfigFile === undefined || mcpConfigFile === known?.mcpConfigFile,
  );
}

/** The name of a server, with its MCP config if a matrix has several: these may share names. */
export function formatServerName({
  name,
  mcpConfigFile,
}: Pick<ServerRecord, 'name' | 'mcpConfigFile'>): string {
  return mcpConfigFile === undefined ? name : `${name} (${mcpConfigFile})`;
}
