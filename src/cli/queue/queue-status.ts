import type { Redis } from 'ioredis';
import type { Labels } from '../../plan/labels.js';
import { JobQueue } from '../../queue/job-queue.js';
import type { QueueKeys } from '../../queue/queue-keys.js';
import type { QueueRun } from '../../queue/queue-run.js';
import type { RunProgress, RunStore } from '../../queue/run-store.js';
import { listPresentWorkers, type WorkerPresence } from '../../queue/worker/worker-presence.js';

/** A run, as `queue status` tells it. */
export interface RunStatus extends RunProgress {
  id: string;
  name: string;
  startedAt: string;
  expiresAt: string;
  /** What waits for a worker, by what it asks for of one. */
  queued: { labels: Labels; waiting: number }[];
  /** Why workers do not take part. */
  refused: { worker: string; reason: string }[];
}

export interface QueueStatus {
  runs: RunStatus[];
  workers: WorkerPresence[];
}

export async function queueStatus(
  redis: Redis,
  keys: QueueKeys,
  store: RunStore,
  runs: readonly QueueRun[],
): Promise<QueueStatus> {
  const workers = await listPresentWorkers(redis, keys);
  const statuses = await Promise.all(runs.map((run) => statusOf(redis, store, run, workers)));
  return { runs: statuses.flatMap((status) => status ?? []), workers };
}

async function statusOf(
  redis: Redis,
  store: RunStore,
  run: QueueRun,
  workers: readonly WorkerPresence[],
): Promise<RunStatus | undefined> {
  const { id, name, startedAt, expiresAt } = run;
  const [progress, { refused }, queued] = await Promise.all([
    store.progressOf(id),
    store.setupsOf(id),
    Promise.all(run.queues.map((queue) => waitingIn(redis, store, run, queue))),
  ]);
  return (
    progress && {
      id,
      name,
      ...progress,
      startedAt: new Date(startedAt).toISOString(),
      expiresAt: new Date(expiresAt).toISOString(),
      queued,
      refused: workers.flatMap((worker) => refused.get(worker.id) ?? []),
    }
  );
}

async function waitingIn(
  redis: Redis,
  store: RunStore,
  { id, expiresAt }: QueueRun,
  { name, labels }: QueueRun['queues'][number],
): Promise<{ labels: Labels; waiting: number }> {
  const queue = new JobQueue(redis, { keys: store.keysOf(id), name, expiresAt });
  try {
    return { labels, waiting: await queue.waiting() };
  } finally {
    await queue.close();
  }
}
