import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { plural } from '../../base/text.js';
import { hasLabels, type Labels } from '../../plan/labels.js';
import { filterOpenQueues, JobQueue } from '../job-queue.js';
import type { QueueKeys } from '../queue-keys.js';
import { RunStore } from '../run-store.js';
import type { RunTicket, WorkerFindings } from '../run-ticket.js';
import { listPresentWorkers, type WorkerPresence } from '../worker/worker-presence.js';
import type { SubmittedRun } from './submitted-run.js';

/** Milliseconds between two looks at the workers. */
const interval = 2_000;

/** Receives what is found out about workers. */
export interface WorkerWatcher {
  /** Called when something has changed about the workers that take part. */
  workers(now: {
    /** Names of workers that were there before, and are no longer. */
    gone: string[];
    /** How many take part. */
    workers: number;
    /** Task runs that they do at once. */
    slots: number;
    /** Task runs that wait for labels which none of them has. */
    unserved: { waiting: number; labels: Labels }[];
  }): void;
  /** Called for a worker that cannot take part. The reason may have several lines. */
  refused(worker: string, reason: string): void;
}

/** Watches which workers take part in a run, and which task runs none of them can do. */
export class WorkerWatch {
  readonly #redis: Redis;
  readonly #keys: QueueKeys;
  readonly #run: RunTicket;
  readonly #watcher: WorkerWatcher;
  readonly #queues: { labels: Labels; queue: JobQueue }[];
  #timer: NodeJS.Timeout | undefined;
  readonly #seen = new Set<string>();
  #isStopped = false;
  #reported = '';
  /** Id of a worker -> why it does not take part, as it was reported last. */
  readonly #refusals = new Map<string, string>();

  constructor(redis: Redis, keys: QueueKeys, run: RunTicket, watcher: WorkerWatcher) {
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
    const workers = await listPresentWorkers(this.#redis, this.#keys);
    const { ready, refused } = await new RunStore(this.#redis, this.#keys).readFindings(
      this.#run.id,
    );
    const taking = workers.filter(({ id }) => ready.has(id));
    const slots = taking.reduce((sum, { concurrency }) => sum + concurrency, 0);
    const unserved = await this.#countUnserved(taking);
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
    if (text !== this.#reported) this.#watcher.workers(now);
    this.#reported = text;
  }

  /** Counts task runs that wait for labels which no worker has. */
  async #countUnserved(
    workers: readonly WorkerPresence[],
  ): Promise<{ waiting: number; labels: Labels }[]> {
    const all = await Promise.all(
      this.#queues
        .filter(({ labels }) => !workers.some((worker) => hasLabels(worker.labels, labels)))
        .map(async ({ labels, queue }) => ({ waiting: await queue.waiting(), labels })),
    );
    // Task runs without labels wait only if there is no worker at all, which is shown in another way.
    return all.filter(({ waiting, labels }) => waiting > 0 && Object.keys(labels).length > 0);
  }
}

/** Every worker that is there lacks something. */
export class NoFittingWorkerError extends Error {
  /** What each of them lacks. */
  readonly reasons: string;

  constructor(reasons: readonly string[]) {
    const who =
      reasons.length === 1 ? 'the only worker lacks' : `all ${reasons.length} workers lack`;
    super(`${who} something, and cannot take part`);
    this.name = 'NoFittingWorkerError';
    this.reasons = reasons.join('\n');
  }
}

/** The run was stopped before it began. */
export class RunCancelledError extends Error {
  constructor() {
    super('the run was cancelled before a worker was ready for it');
    this.name = 'RunCancelledError';
  }
}

/** Milliseconds between two looks whether a worker is ready. */
const lookAgainAfter = 250;
/** Milliseconds after which workers forget a run that is not open yet, if this process is killed. */
const patience = 30_000;

/**
 * Offers a run to workers until one is ready for it, and returns what that worker found; undefined if the signal was
 * aborted. Throws NoFittingWorkerError and RunCancelledError.
 */
export async function waitForWorker(
  redis: Redis,
  keys: QueueKeys,
  run: SubmittedRun,
  { signal, note }: { signal: AbortSignal; note(text: string): void },
): Promise<WorkerFindings | undefined> {
  const { id, queues } = run.ticket;
  await run.prepare(patience);
  let noted = '';
  while (!signal.aborted) {
    if ((await run.store.stateOf(id)) === 'stopping') throw new RunCancelledError();
    const { first, refused } = await run.store.readFindings(id);
    if (first) {
      // Other evals of the check may run before this one, and take their time.
      const waiting = setInterval(
        () => void run.stillWanted(patience).catch(() => {}),
        patience / 4,
      );
      waiting.unref();
      run.onOpen(() => clearInterval(waiting));
      return first;
    }
    const workers = (await listPresentWorkers(redis, keys)).filter(
      ({ labels }) => filterOpenQueues(labels, queues).length > 0,
    );
    if (workers.length > 0 && workers.every((worker) => refused.has(worker.id))) {
      throw new NoFittingWorkerError(
        workers.map((worker) => `${worker.name}: ${refused.get(worker.id)?.reason ?? ''}`),
      );
    }
    const text =
      workers.length > 0
        ? `Waiting for ${plural(workers.length, 'worker')} to look at the servers and the agent`
        : 'Waiting for a worker: start one with proctor worker --queue';
    if (text !== noted) note(text);
    noted = text;
    await run.stillWanted(patience);
    await delay(lookAgainAfter, undefined, { signal }).catch(() => {});
  }
  return undefined;
}
