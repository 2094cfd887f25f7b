import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Labels } from '../../plan/labels.js';
import { proctorVersion } from '../../proctor-version.js';
import type { QueueKeys } from '../queue-keys.js';

/** What a worker reports of itself every few seconds, for checks and `queue status`. */
export interface WorkerPresence {
  id: string;
  name: string;
  host: string;
  pid: number;
  proctor: string;
  labels: Labels;
  /** Task runs at once. */
  concurrency: number;
  /** How many task runs are under way. */
  running: number;
  /** It takes nothing more. */
  isLeaving?: true;
}

/** Milliseconds between two reports of a worker. */
export const presenceInterval = 2_000;
/** Milliseconds after which a silent worker counts as gone. */
const lostAfter = 5 * presenceInterval;
/** Milliseconds after which its id is removed from the list of workers. */
const forgottenAfter = 3_600_000;

/** Reports that a worker is there. */
export async function recordPresence(
  redis: Redis,
  keys: QueueKeys,
  worker: Omit<WorkerPresence, 'host' | 'pid' | 'proctor'>,
): Promise<void> {
  const presence: WorkerPresence = {
    ...worker,
    host: hostname(),
    pid: process.pid,
    proctor: proctorVersion,
  };
  const now = Date.now();
  await redis
    .pipeline()
    .set(keys.worker(worker.id), JSON.stringify(presence), 'PX', lostAfter)
    .zadd(keys.workers, now, worker.id)
    // Clocks of machines differ, so that times in this list are rough: the key above says whether a worker is there.
    .zremrangebyscore(keys.workers, 0, now - forgottenAfter)
    .pexpire(keys.workers, forgottenAfter)
    .exec();
}

export async function recordAbsence(redis: Redis, keys: QueueKeys, id: string): Promise<void> {
  await redis.pipeline().del(keys.worker(id)).zrem(keys.workers, id).exec();
}

export async function listPresentWorkers(redis: Redis, keys: QueueKeys): Promise<WorkerPresence[]> {
  const ids = await redis.zrange(keys.workers, '0', '-1');
  if (ids.length === 0) return [];
  const texts = await redis.mget(ids.map((id) => keys.worker(id)));
  return texts
    .flatMap((text) => (text === null ? [] : parsePresence(text)))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Empty if the text is no record of a worker. */
function parsePresence(text: string): WorkerPresence[] {
  try {
    const presence = JSON.parse(text) as WorkerPresence;
    return typeof presence.name === 'string' && presence.labels ? [presence] : [];
  } catch {
    return [];
  }
}
