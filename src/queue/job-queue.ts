import { createHash } from 'node:crypto';
import { ErrorCode, type Job, Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { hasLabels, type Labels } from '../plan/labels.js';
import type { RunKeys } from './queue-keys.js';
import { execPipeline, retryOnReconnect } from './redis-connection.js';

/** The data of a job, whose id is its item. */
export interface JobData {
  /** With `--runs auto`: how many runs the task has at least by now. */
  runs?: number;
}

export type ItemJob = Job<JobData>;

/** Items for one request: Redis serves others in between. */
const batch = 500;
/** How often BullMQ gives a lost job to another worker: always, because `beginScript` counts lost attempts. */
const noLimit = 1_000_000_000;

/** A BullMQ queue, as seen by a process that puts items into it. */
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
    // BullMQ's notes of the queue are never read, and would come back after everything is removed.
    this.#queue = new Queue(name, {
      connection: redis,
      prefix: keys.prefix,
      skipMetasUpdate: true,
    });
    this.#queue.on('error', () => {});
  }

  /** Adds items. One that is in the queue already stays as it is. */
  async add(items: readonly string[], data: JobData = {}): Promise<void> {
    for (let start = 0; start < items.length; start += batch) {
      const part = items.slice(start, start + batch);
      await retryOnReconnect(() => this.#addPart(part, data));
    }
  }

  /** Counts the items that wait for a worker. */
  waiting(): Promise<number> {
    return this.#queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
  }

  /** Removes everything of the queue. */
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

/** A BullMQ queue, as seen by a worker that takes items out of it. For the time of the lease a job is its own. */
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
      maxStalledCount: noLimit,
      autorun: false,
    });
    this.#worker.on('error', () => {});
  }

  /** Lets items of lost workers come back into the queue from now on. */
  async watch(): Promise<void> {
    await this.#worker.startStalledCheckTimer();
  }

  /** Takes the next job; undefined: nothing waits. */
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
 * Whether an error says that this worker no longer has a job: its lease ended before the job was done; or the job was
 * completed, and the request was only repeated because the answer was lost with the connection.
 */
export function isJobGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && codesOfGone.includes(error.code);
}

/** A queue for all task runs that require the same labels of a worker. */
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

/** Lists the queue of each set of labels, once. */
export function listLabelQueues(all: Iterable<Labels>): LabelQueue[] {
  const queues = [...all].map(nameLabelQueue);
  return [...new Map(queues.map((queue) => [queue.name, queue])).values()];
}

/** Filters the queues that a worker with these labels may take task runs from. */
export function filterOpenQueues(labels: Labels, queues: readonly LabelQueue[]): LabelQueue[] {
  return queues.filter((queue) => hasLabels(labels, queue.labels));
}
