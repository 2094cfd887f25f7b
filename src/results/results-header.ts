import type * as z from 'zod/mini';
import type { SpentBudget } from '../journal/run-events.js';
import type { TaskRunNumber } from '../journal/task-run-events.js';
import type { resultsSchema } from './results-schema.js';

/** What a results file of our own says of the run as a whole, as far as it is taken over as it is. */
export type OwnHeader = Pick<
  z.infer<typeof resultsSchema>,
  'agent' | 'eval' | 'mcpServers' | 'rechecked' | 'variants' | 'warnings'
>;
export type AgentRecord = OwnHeader['agent'];
export type ServerRecord = OwnHeader['mcpServers'][number];
export type VariantRecord = NonNullable<OwnHeader['variants']>[number];

/** An evaluation that did one part of its plan (`--shard`). */
export interface ShardRecord {
  /** Its id. */
  evaluation: string;
  /** From 1. */
  index: number;
  of: number;
  /** Of the durations that the plan was cut by. Null: it was cut by numbers of task runs. */
  cutBy: string | null;
}

/** What a file of results says besides its task runs. Null: this kind of results does not tell. */
export interface ResultsHeader {
  kind: 'results' | 'journal' | 'mcpchecker' | 'recording';
  /** Of the evaluation; the same in its results and its journal. */
  id: string | null;
  /** The same, or of merged results those of the evaluations in them. */
  evaluations: string[];
  /** Several became one file, or were to. */
  merged: boolean;
  /** Those of the evaluations that are shards. */
  shards: ShardRecord[];
  /** Those of the evaluations that ran only what did not pass in another (`--rerun-failed`). */
  reruns: string[];
  eval: OwnHeader['eval'] | null;
  /** Verdicts are those of `recheck`, not of the run. Undefined: they are of the run. */
  rechecked?: OwnHeader['rechecked'];
  startedAt: string | null;
  durationMs: number | null;
  /** Null also where variants have different ones. */
  agent: AgentRecord | null;
  /** Of a matrix; empty: there is none. */
  variants: VariantRecord[];
  judge: AgentRecord | null;
  mcpServers: ServerRecord[];
  /** False: it was killed, or still goes on. */
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The one that left task runs out. */
  budget: SpentBudget | null;
  /** Task runs that were to happen. */
  planned: number | null;
  /** Task runs that have begun and have no verdict yet; only a journal tells. */
  open: TaskRunNumber[];
  warnings: OwnHeader['warnings'];
}
