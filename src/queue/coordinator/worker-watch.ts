import type { Redis } from 'ioredis';
import { plural } from '../../config/plural.js';
import { hasLabels, type Labels } from '../../plan/labels.js';
import { JobQueue } from '../job-queue.js';
import type { QueueKeys } from '../queue-keys.js';
import type { QueueRun } from '../queue-run.js';
import { RunStore } from '../run-store.js';
import { presentWorkers, type WorkerPresence } from '../worker/worker-presence.js';

/** Milliseconds. */
const interval = 2_000;

/** Tells who takes part in a run while it goes on, and what nobody can do. */
export class WorkerWatch {
  readonly #redis: Redis;
  readonly #keys: QueueKeys;
  readonly #run: QueueRun;
  readonly #note: (text: string) => void;
  readonly #queues: { labels: Labels; queue: JobQueue }[];
  #timer: NodeJS.Timeout | undefined;
  #told = '';

  constructor(redis: Redis, keys: QueueKeys, run: QueueRun, note: (text: string) => void) {
    this.#redis = redis;
    this.#keys = keys;
    this.#run = run;
    this.#note = note;
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
    clearInterval(this.#timer);
    for (const { queue } of this.#queues) void queue.close().catch(() => {});
  }

  async #look(): Promise<void> {
    const workers = await presentWorkers(this.#redis, this.#keys);
    const { ready, refused } = await new RunStore(this.#redis, this.#keys).setupsOf(this.#run.id);
    const taking = workers.filter(({ id }) => ready.has(id));
    const slots = taking.reduce((sum, { concurrency }) => sum + concurrency, 0);
    const lines = [`${plural(taking.length, 'worker')}, ${plural(slots, 'task run')} at once`];
    for (const { id, name } of workers) {
      const reason = refused.get(id)?.reason;
      if (reason !== undefined && !ready.has(id)) lines.push(`${name} cannot take part: ${reason}`);
    }
    lines.push(...(await this.#unserved(taking)));
    const text = lines.join('\n');
    if (text !== this.#told) this.#note(text);
    this.#told = text;
  }

  /** What waits for labels that no worker has. */
  async #unserved(workers: readonly WorkerPresence[]): Promise<string[]> {
    const lines: string[] = [];
    for (const { labels, queue } of this.#queues) {
      if (workers.some((worker) => hasLabels(worker.labels, labels))) continue;
      const waiting = await queue.waiting();
      if (waiting === 0) continue;
      const wanted = Object.entries(labels).map((pair) => pair.join('='));
      const whom = wanted.length > 0 ? `a worker with ${wanted.join(', ')}` : 'a worker';
      lines.push(`${plural(waiting, 'task run')} waiting for ${whom}`);
    }
    return lines;
  }
}
