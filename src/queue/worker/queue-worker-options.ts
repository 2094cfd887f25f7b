import type { Redis } from 'ioredis';
import type { Limits } from '../../limits/limits.js';
import type { Labels } from '../../plan/labels.js';
import type { Workspace } from '../../run/workspace.js';
import type { UnpackedBundle } from '../bundle/bundle-cache.js';
import type { QueueKeys } from '../queue-keys.js';
import type { RunTicket } from '../run-ticket.js';
import type { OpenSuite } from './opened-suite.js';

export interface QueueWorkerOptions {
  redis: Redis;
  keys: QueueKeys;
  name: string;
  labels: Labels;
  /** Task runs at once. */
  concurrency: number;
  /** Milliseconds for which a worker may be silent before another one gets its task runs. */
  leaseMs: number;
  /** How many attempts at a task run may be lost with their workers before it is given up. */
  maxLost: number;
  environment: NodeJS.ProcessEnv;
  workspace: Workspace;
  openSuite: OpenSuite;
  /** Fetches the files of a bundle. */
  takeBundle(id: string): Promise<UnpackedBundle>;
  limitsOf(run: RunTicket): Limits;
  /** For people who watch. */
  onNews(news: WorkerNews): void;
}

/** What a worker reports about what it does. */
export type WorkerNews =
  | { kind: 'joined' | 'left'; run: RunTicket }
  | { kind: 'refused'; run: RunTicket; reason: string }
  | { kind: 'begun' | 'ended'; run: RunTicket; item: string }
  | { kind: 'silence' }
  | { kind: 'trouble'; message: string }
  | { kind: 'full'; message: string }
  | { kind: 'failed'; run: RunTicket; item: string; error: unknown };
