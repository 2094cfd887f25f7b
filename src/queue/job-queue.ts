import { createHash } from 'node:crypto';
import { ErrorCode, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { hasLabels, type Labels } from '../plan/labels.js';
import type { RunKeys } from './queue-keys.js';
import { execPipeline, retryOnReconnect } from './redis-connection.js';

/** What a job says besides its item, which is its id. */
export interface JobData {
  /** With `--runs auto`: how many runs the task has at least by now. */
  runs?: number;
}

export type ItemJob = Job<JobData>;

/** How many are added at once: others get their turn in between. */
const batch = 500;
/** We count lost attempts ourselves. */
const never = 1_000_000_000;

/** One BullMQ queue, to put items into it. */
export class JobQueue {
  readonly #queue: Queue<JobData>;
  readonly #redis: Redis;
  readonly #keys: RunKeys;
  readonly #expiresAt: number;

  constructor(
    redis: Redis,
    { keys, name, expiresAt }: { keys: RunKeys; name: string; expiresAt: number },
  ) {
    this.#redis = redis;
    this.#keys = keys;
    this.#expiresAt = expiresAt;
    // What BullMQ notes of the queue itself is never read, and it would come back after everything is removed.
    this.#queue = new Queue(name, {
      connection: redis,
      prefix: keys.prefix,
      skipMetasUpdate: true,
    });
    this.#queue.on('error', () => {});
  }

  /** One that is there already stays as it is. */
  async add(items: readonly string[], data: JobData = {}): Promise<void> {
    for (let start = 0; start < items.length; start += batch) {
      const part = items.slice(start, start + batch);
      await retryOnReconnect(() => this.#addPart(part, data));
    }
  }

  /** Items that wait for a worker. */
  waiting(): Promise<number> {
    return this.#queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
  }

  /** Everything of it. */
  async remove(): Promise<void> {
    await this.#queue.obliterate({ force: true });
  }

  async close(): Promise<void> {
    await this.#queue.close();
  }

  async #addPart(items: readonly string[], data: JobData): Promise<void> {
    await this.#queue.addBulk(
      items.map((item) => ({
        name: 'task-run',
        data,
        opts: { jobId: item, removeOnComplete: true, removeOnFail: true },
      })),
    );
    const expiry = this.#redis.pipeline();
    for (const item of items) {
      expiry.pexpireat(`${this.#keys.prefix}:${this.#queue.name}:${item}`, this.#expiresAt);
    }
    await execPipeline(expiry);
  }
}

/** One BullMQ queue, to take items out of it. A job belongs to the taker for the time of the lease. */
export class JobSource {
  readonly #worker: Worker<JobData>;

  constructor(
    redis: Redis,
    { keys, name, leaseMs }: { keys: RunKeys; name: string; leaseMs: number },
  ) {
    this.#worker = new Worker<JobData>(name, null, {
      connection: redis,
      prefix: keys.prefix,
      lockDuration: leaseMs,
      stalledInterval: Math.ceil(leaseMs / 2),
      maxStalledCount: never,
      autorun: false,
    });
    this.#worker.on('error', () => {});
  }

  /** From now on items of workers that are lost come back into the queue. */
  async watch(): Promise<void> {
    await this.#worker.startStalledCheckTimer();
  }

  /** Undefined: nothing waits. */
  next(token: string): Promise<ItemJob | undefined> {
    return this.#worker.getNextJob(token, { block: false });
  }

  async close(): Promise<void> {
    await this.#worker.close(true);
  }
}

const codesOfGone: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobNotInState,
  ErrorCode.JobLockMismatch,
];

/**
 * Whether a job is not ours any more: the lease was over before we were done; or we were, and only asked
 * again because the answer was lost with the connection.
 */
export function isJobGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfGone.includes(error.code);
}

/** Task runs that ask for the same of a worker wait in one queue. */
interface LabelQueue {
  name: string;
  /** What a worker must have to take something out of it. */
  labels: Labels;
}

export function nameLabelQueue(labels: Labels): LabelQueue {
  const sorted = Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1));
  if (sorted.length === 0) return { name: 'any', labels: {} };
  const digest = createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
  return { name: `with-${digest.slice(0, 16)}`, labels: Object.fromEntries(sorted) };
}

/** The queue of each set of labels, once. */
export function listLabelQueues(all: Iterable<Labels>): LabelQueue[] {
  const queues = [...all].map(nameLabelQueue);
  return [...new Map(queues.map((queue) => [queue.name, queue])).values()];
}

/** Those that a worker with these labels may take something out of. */
export function filterOpenQueues(labels: Labels, queues: readonly LabelQueue[]): LabelQueue[] {
  return queues.filter((queue) => hasLabels(labels, queue.labels));
}
