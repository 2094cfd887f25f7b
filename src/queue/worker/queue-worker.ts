import { randomUUID } from 'node:crypto';
import { errorMessage } from '../../base/errors.js';
import { killEveryGroup } from '../../base/processes/process-group.js';
import { hasLabels } from '../../plan/labels.js';
import { duplicateConnection } from '../redis-connection.js';
import { RunStore } from '../run-store.js';
import type { QueueWorkerOptions } from './queue-worker-options.js';
import { RunMembership } from './run-membership.js';
import { presenceInterval, recordAbsence, recordPresence } from './worker-presence.js';
import type { WorkerRun } from './worker-run.js';

/** Milliseconds: how often it looks for something to do without being notified. */
const lookInterval = 1_000;
/** How long a worker without room for files takes nothing. */
const fullPause = 10_000;

/** Takes task runs of any number of runs out of a queue, and does them. */
export class QueueWorker {
  readonly id = randomUUID();
  readonly #options: QueueWorkerOptions;
  readonly #store: RunStore;
  readonly #runs = new Map<string, RunMembership>();
  #running = 0;
  #turn = 0;
  #isLeaving = false;
  #takesNothingBefore = 0;
  #wake = () => {};
  #isAwake = false;
  /** Something may have changed about the runs. */
  #hasNews = true;
  #trouble: string | undefined;

  constructor(options: QueueWorkerOptions) {
    this.#options = options;
    this.#store = new RunStore(options.redis, options.keys);
  }

  get running(): number {
    return this.#running;
  }

  /** Takes nothing more; what is under way comes to its end. */
  leave(): void {
    this.#isLeaving = true;
    this.#lookAgain();
  }

  /** Also stops what is under way, cleans up and gives it back; with `atOnce`, without cleaning up. */
  stop(atOnce = false): void {
    for (const joined of this.#runs.values()) joined.run?.stop(atOnce);
    if (atOnce) killEveryGroup();
    this.leave();
  }

  /** Works until `leave` or `stop` was called and nothing is under way any more. */
  async work(): Promise<void> {
    const { redis, keys } = this.#options;
    const news = duplicateConnection(redis);
    news.on('message', () => this.#lookAgain());
    await news.subscribe(keys.news);
    const presence = setInterval(() => void this.#recordPresence(), presenceInterval);
    const looking = setInterval(() => this.#lookAgain(), lookInterval);
    await this.#recordPresence();
    try {
      while (!this.#isLeaving || this.#running > 0) {
        await this.#look().catch((error: unknown) => this.#reportTrouble(error));
        await this.#untilAwake();
      }
    } finally {
      clearInterval(presence);
      clearInterval(looking);
      await Promise.all([...this.#runs.values()].map((joined) => joined.close()));
      await recordAbsence(redis, keys, this.id).catch(() => {});
      news.disconnect();
    }
  }

  async #look(): Promise<void> {
    // Runs are looked up only if they may have changed, so that the next task run begins at once.
    if (this.#hasNews) await this.#followRuns();
    await this.#fill();
  }

  #lookAgain(): void {
    this.#hasNews = true;
    this.#wakeUp();
  }

  #wakeUp(): void {
    this.#isAwake = true;
    this.#wake();
  }

  async #untilAwake(): Promise<void> {
    if (!this.#isAwake) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isAwake = false;
  }

  /** A queue that is out of memory, or read-only for a while, is asked again. */
  #reportTrouble(error: unknown): void {
    const message = errorMessage(error);
    if (message !== this.#trouble) this.#options.onNews({ kind: 'trouble', message });
    this.#trouble = message;
  }

  async #recordPresence(): Promise<void> {
    const { redis, keys, name, labels, concurrency } = this.#options;
    await recordPresence(redis, keys, {
      id: this.id,
      name,
      labels,
      concurrency,
      running: this.#running,
      ...(this.#isLeaving && { isLeaving: true as const }),
    }).catch(() => {});
  }

  /** Joins runs that are new, and leaves those that are over. */
  async #followRuns(): Promise<void> {
    this.#hasNews = false;
    const ids = await this.#store.ids();
    for (const id of ids) {
      if (!this.#runs.has(id) && !this.#isLeaving) await this.#join(id);
    }
    for (const [id, joined] of this.#runs) {
      const state = await this.#store.stateOf(id);
      if (state === 'stopping') joined.run?.stop();
      if (state !== undefined) {
        await joined.keepExpiring();
        continue;
      }
      // The queue no longer knows the run: nothing of it is wanted.
      joined.run?.stop(true);
      if (joined.run?.isBusy) continue;
      this.#runs.delete(id);
      await joined.close();
    }
  }

  async #join(id: string): Promise<void> {
    const { labels, onNews } = this.#options;
    const run = await this.#store.read(id);
    if (!run?.queues.some((queue) => hasLabels(labels, queue.labels))) return;
    const joined = new RunMembership(run, this.id, this.#store, {
      ...this.#options,
      onSilence: () => {
        onNews({ kind: 'silence' });
        // A worker that is cut off cannot report what it does, and others may do it already.
        killEveryGroup();
      },
      onFull: (message) => {
        this.#takesNothingBefore = Date.now() + fullPause;
        onNews({ kind: 'full', message });
      },
    });
    this.#runs.set(id, joined);
    void joined.start().then(() => this.#lookAgain());
  }

  /** Takes task runs until as many are under way as `concurrency` allows. */
  async #fill(): Promise<void> {
    const { concurrency } = this.#options;
    while (this.#running < concurrency && this.#mayTake()) {
      const taken = await this.#takeNext();
      if (!taken) return;
      const { run, joined, job, token } = taken;
      this.#running += 1;
      void this.#perform(joined, run, job, token);
    }
  }

  #mayTake(): boolean {
    return !this.#isLeaving && Date.now() >= this.#takesNothingBefore;
  }

  /** Takes from one run after the other: a long one does not make a short one wait. */
  async #takeNext() {
    const runs = [...this.#runs.values()].flatMap((joined) =>
      joined.run ? [{ joined, run: joined.run }] : [],
    );
    for (let tried = 0; tried < runs.length; tried++) {
      const next = runs[this.#turn++ % runs.length];
      const taken = await next?.run.take();
      if (next && taken) return { ...next, ...taken };
    }
    return undefined;
  }

  async #perform(
    { ticket }: RunMembership,
    run: WorkerRun,
    job: Parameters<WorkerRun['perform']>[0],
    token: string,
  ): Promise<void> {
    const { onNews } = this.#options;
    const item = job.id ?? '';
    onNews({ kind: 'begun', run: ticket, item });
    try {
      await run.perform(job, token);
      onNews({ kind: 'ended', run: ticket, item });
    } catch (error) {
      // A bug, or the connection is closed for good. Another worker is given it in a while.
      onNews({ kind: 'failed', run: ticket, item, error });
    } finally {
      this.#running -= 1;
      this.#wakeUp();
    }
  }
}
