import type {
  AgentIdentity,
  BudgetKind,
  RunStarted,
  VariantIdentity,
} from '../journal/run-events.js';
import type { LimitSettings } from '../limits/limits.js';
import type { Labels } from '../plan/labels.js';
import type { RunOptions } from './run-options.js';

/** Milliseconds for which a run can stay in a queue at most. */
export const longestLife = 60 * 24 * 3_600_000;

/** What a worker has to know to take part in a run. It is stored in Redis, so the names of its members are fixed. */
export interface RunTicket {
  id: string;
  /** Version of Proctor: another one might do something else with the same files. */
  proctor: string;
  /** The id of the run in its journal, called so for the sake of old queues. `id` is its id in the queue. */
  evaluation: string;
  /** Name of the eval. */
  name: string;
  /** The id of the bundle with the files of the suite. */
  bundle: string;
  /** The eval file, from the root of the bundle. */
  evalFile: string;
  options: RunOptions;
  limits: LimitSettings;
  /** Names of tasks and of variants: items refer to them by their place. */
  tasks: readonly string[];
  variants: readonly string[];
  queues: readonly { name: string; labels: Labels }[];
  /** Folder for outputs that are too long for the journal, from the journal's folder. */
  filesFolder: string;
  /** What the whole check may spend, as it was given. */
  budget: Partial<Record<BudgetKind, number>>;
  /** Milliseconds since 1970. */
  startedAt: number;
  expiresAt: number;
}

/** The state of a run that a queue has. */
export type QueuedRunState =
  /** Workers find out whether they can take part. Nothing has begun. */
  | 'preparing'
  /** Workers take task runs. */
  | 'open'
  /** It was cancelled: workers stop and clean up what is under way. It stays so until a check has read the rest. */
  | 'stopping';

/** The agents and servers that a worker found in its preflight, as the start of a journal records them. */
export interface WorkerFindings {
  worker: string;
  agent?: AgentIdentity;
  variants?: VariantIdentity[];
  judge?: AgentIdentity;
  mcpServers: RunStarted['mcpServers'];
  /** `server-checked` events, as lines of a journal. */
  offers: readonly string[];
}

/** Why a worker does not take part. */
export interface WorkerRefusal {
  worker: string;
  /** In words, over several lines. */
  reason: string;
}
