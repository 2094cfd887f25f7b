import type { Redis } from 'ioredis';
import { hasLabels, type Labels } from '../../plan/labels.js';
import { JobQueue } from '../job-queue.js';
import type { QueueKeys } from '../queue-keys.js';
import type { QueueRun } from '../queue-run.js';
import { RunStore } from '../run-store.js';
import { presentWorkers, type WorkerPresence } from '../worker/worker-presence.js';

/** Milliseconds. */
const interval = 2_000;

/** What people are told of workers. */
export interface WorkerWatcher {
  /** Who takes part, in place of what was told before. */
  workers(now: {
    /** Names of those that have answered before, and do not any more. */
    gone: string[];
    workers: number;
    /** Task runs that they do at once. */
    slots: number;
    /** What waits for labels that none of them has. */
    unserved: { waiting: number; labels: Labels }[];
  }): void;
  /** A worker that is there does not take part; the reason may have several lines. */
  refused(worker: string, reason: string): void;
}

/** Tells who takes part in a run while it goes on, and what nobody can do. */
export class WorkerWatch {
  readonly #redis: Redis;
  readonly #keys: QueueKeys;
  readonly #run: QueueRun;
  readonly #watcher: WorkerWatcher;
  readonly #queues: { labels: Labels; queue: JobQueue }[];
  #timer: NodeJS.Timeout | undefined;
  readonly #seen = new Set<string>();
  #isStopped = false;
  #told = '';
  /** Id of a worker -> why it does not take part, as people know it. */
  readonly #refusals = new Map<string, string>();

  constructor(redis: Redis, keys: QueueKeys, run: QueueRun, watcher: WorkerWatcher) {
    this.#redis = redis;
    this.#keys = keys;
    this.#run = run;
    this.#watcher = watcher;
    this.#queues = run.queues.map(({ name, labels }) => ({
      labels,
      queue: new JobQueue(redis, { keys: keys.ofRun(run.id), name, expiresAt: run.expiresAt }),
    }));
  }

  start(): void {
    const look = () => void this.#look().catch(() => {});
    look();
    this.#timer = setInterval(look, interval);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const { queue } of this.#queues) void queue.close().catch(() => {});
  }

  async #look(): Promise<void> {
    const workers = await presentWorkers(this.#redis, this.#keys);
    const { ready, refused } = await new RunStore(this.#redis, this.#keys).setupsOf(this.#run.id);
    const taking = workers.filter(({ id }) => ready.has(id));
    const slots = taking.reduce((sum, { concurrency }) => sum + concurrency, 0);
    const unserved = await this.#unserved(taking);
    if (this.#isStopped) return;
    for (const { id, name } of workers) {
      const reason = ready.has(id) ? undefined : refused.get(id)?.reason;
      if (reason === undefined || this.#refusals.get(id) === reason) continue;
      this.#refusals.set(id, reason);
      this.#watcher.refused(name, reason);
    }
    const present = new Set(workers.map(({ name }) => name));
    for (const name of present) this.#seen.add(name);
    const gone = [...this.#seen].filter((name) => !present.has(name));
    const now = { gone, workers: taking.length, slots, unserved };
    const text = JSON.stringify(now);
    if (text !== this.#told) this.#watcher.workers(now);
    this.#told = text;
  }

  /** What waits for labels that no worker has. */
  async #unserved(
    workers: readonly WorkerPresence[],
  ): Promise<{ waiting: number; labels: Labels }[]> {
    const all = await Promise.all(
      this.#queues
        .filter(({ labels }) => !workers.some((worker) => hasLabels(worker.labels, labels)))
        .map(async ({ labels, queue }) => ({ waiting: await queue.waiting(), labels })),
    );
    // That nobody is there at all needs no list of what waits for anybody.
    return all.filter(({ waiting, labels }) => waiting > 0 && Object.keys(labels).length > 0);
  }
}
