import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import type { Labels } from '../../plan/labels.js';
import { proctorVersion } from '../../proctor-version.js';
import type { QueueKeys } from '../queue-keys.js';

/** A worker, as others see it. */
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

/** Milliseconds. */
export const presenceInterval = 2_000;
const lostAfter = 5 * presenceInterval;
const forgottenAfter = 3_600_000;

/** Says that a worker is there, for a while. */
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
    // Clocks of machines differ: its key says whether one is there.
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
    .flatMap((text) => (text === null ? [] : presenceOf(text)))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** Undefined if it is no record of a worker. */
function presenceOf(text: string): WorkerPresence[] {
  try {
    const presence = JSON.parse(text) as WorkerPresence;
    return typeof presence.name === 'string' && presence.labels ? [presence] : [];
  } catch {
    return [];
  }
}
