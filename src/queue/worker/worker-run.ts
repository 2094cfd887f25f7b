import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Labels } from '../../plan/labels.js';
import type { CutOffTaskRun } from '../../run/resume/previous-run.js';
import { WorkspaceError } from '../../run/workspace.js';
import { NextItems } from '../items.js';
import { filterOpenQueues, type ItemJob, isJobGone, JobSource } from '../job-queue.js';
import { getLockKey, type RunKeys } from '../queue-keys.js';
import { type Beginning, RunAttempts } from '../run-attempts.js';
import type { RunTicket } from '../run-ticket.js';
import { type Assignment, type RunHost, sumSpending } from './run-host.js';

interface WorkerRunOptions {
  redis: Redis;
  keys: RunKeys;
  run: RunTicket;
  host: Pick<RunHost, 'perform' | 'cleanUpAfter' | 'giveUp' | 'close'>;
  labels: Labels;
  leaseMs: number;
  /** So many attempts at a task run may be lost before it is given up. */
  mayBeLost: number;
  /** Bytes that task runs can still write. */
  room(): Promise<number>;
  labelsOf(task: number): Labels;
  /** There is something to do for others too. */
  onAdded(): void;
  /** The queue was silent for so long that what runs has to go at once. */
  onSilence(): void;
  /** There is no room for files any more. */
  onFull(message: string): void;
}

/** What a job came to on this worker. */
type Performed = 'done' | 'given-back';

/** An attempt of this worker that is under way. */
interface Running {
  stop: AbortController;
  stopCleanup: AbortController;
  /** The task run is lost to another worker, which cleans up. */
  lost: AbortController;
}

/** Bytes: with less, what a task run comes to says nothing about the agent. */
const leastRoom = 16 * 1024 * 1024;
/** Milliseconds until a task run is tried again that could not be begun. */
const laterMs = 500;

/** One run that this worker takes part in. */
export class WorkerRun {
  readonly #options: WorkerRunOptions;
  readonly #attempts: RunAttempts;
  readonly #next: NextItems;
  readonly #sources: JobSource[];
  readonly #running = new Set<Running>();
  #turn = 0;

  constructor(options: WorkerRunOptions) {
    const { redis, keys, run, labels, leaseMs, labelsOf } = options;
    this.#options = options;
    this.#attempts = new RunAttempts(redis, keys);
    this.#next = new NextItems({ redis, keys, run, attempts: this.#attempts, labelsOf });
    this.#sources = filterOpenQueues(labels, run.queues).map(
      ({ name }) => new JobSource(redis, { keys, name, leaseMs }),
    );
  }

  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  async watch(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.watch()));
  }

  /** The next job of one of its queues; undefined: nothing waits there. */
  async take(): Promise<{ job: ItemJob; token: string } | undefined> {
    for (let tried = 0; tried < this.#sources.length; tried++) {
      const source = this.#sources[this.#turn++ % this.#sources.length];
      const token = randomUUID();
      const job = await source?.next(token);
      if (job) return { job, token };
    }
    return undefined;
  }

  /** Stops what is under way; `atOnce` leaves cleaning up to others. */
  stop(atOnce = false): void {
    for (const { stop, stopCleanup } of this.#running) {
      stop.abort();
      if (atOnce) stopCleanup.abort();
    }
  }

  async perform(job: ItemJob, token: string): Promise<void> {
    const running = newRunning();
    this.#running.add(running);
    const lease = new Lease(job, {
      token,
      leaseMs: this.#options.leaseMs,
      onOver: (why) => {
        running.lost.abort();
        if (why === 'silence') this.#options.onSilence();
      },
    });
    try {
      const performed = await this.#attempt(job, token, running);
      if (performed === 'done') await this.#complete(job, token);
      else await job.moveToDelayed(Date.now() + laterMs, token);
    } catch (error) {
      if (!isJobGone(error)) throw error;
      // Another worker has it, and does what is left to do.
    } finally {
      lease.release();
      this.#running.delete(running);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.close()));
    await this.#next.close();
    await this.#options.host.close();
  }

  async #complete(job: ItemJob, token: string): Promise<void> {
    // Before the job is gone: if this worker is killed in between, the next one finds it.
    if (await this.#next.add()) this.#options.onAdded();
    await job.moveToCompleted({}, token, false);
  }

  async #attempt(
    job: ItemJob,
    token: string,
    { stop, stopCleanup, lost }: Running,
  ): Promise<Performed> {
    const item = job.id ?? '';
    if (!(await this.#hasRoom())) return 'given-back';
    const { keys, mayBeLost } = this.#options;
    const lock = getLockKey(keys, job.queueName, item);
    const beginning = await this.#attempts.begin(item, { token, lock }, mayBeLost);
    if (!('attempt' in beginning)) {
      return beginning.kind === 'full' || beginning.kind === 'taken' ? 'given-back' : 'done';
    }
    const assignment: Assignment = {
      item,
      attempt: beginning.number,
      runs: job.data.runs,
      log: { attempts: this.#attempts, fence: beginning.attempt, lost },
      stop: stop.signal,
      stopCleanup: stopCleanup.signal,
    };
    return this.#performed(beginning, assignment);
  }

  async #performed(
    { kind, attempt, lost, left, sentEvents }: Extract<Beginning, { attempt: unknown }>,
    assignment: Assignment,
  ): Promise<Performed> {
    const { host } = this.#options;
    if (left !== undefined) {
      await host.cleanUpAfter(JSON.parse(left) as CutOffTaskRun, sentEvents, assignment);
    }
    // The next worker cleans up, as if this one had been lost: the record of what there is to do stays.
    if (assignment.stopCleanup.aborted) return 'given-back';
    const nothing = { cost: 0, tokens: 0 };
    if (kind === 'clean' || assignment.stop.aborted) {
      await this.#attempts.end(attempt, nothing, []);
      return kind === 'clean' ? 'done' : 'given-back';
    }
    if (kind === 'poisonous') {
      return performedIf(await host.giveUp(assignment, lost).end({ outcome: 'error', ...nothing }));
    }
    return this.#run(assignment);
  }

  async #run(assignment: Assignment): Promise<Performed> {
    try {
      const { log, ended } = await this.#options.host.perform(assignment);
      if (assignment.stopCleanup.aborted) {
        await log.flush();
        return 'given-back';
      }
      const { outcome = 'cancelled' } = ended ?? {};
      const spent = sumSpending(ended);
      if (outcome === 'cancelled') {
        await log.end(spent);
        return 'given-back';
      }
      if (outcome !== 'passed' && !(await this.#hasRoom())) {
        await log.end(spent, 'the worker had no room for files: it is done again');
        return 'given-back';
      }
      return performedIf(await log.end({ outcome, ...spent }));
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      await this.#attempts.end(assignment.log.fence, { cost: 0, tokens: 0 }, []);
      this.#options.onFull(error.message);
      return 'given-back';
    }
  }

  async #hasRoom(): Promise<boolean> {
    if ((await this.#options.room()) >= leastRoom) return true;
    this.#options.onFull('there is no room for files of task runs');
    return false;
  }
}

/** An attempt that does not count is done again, by any worker. */
function performedIf(counts: boolean): Performed {
  return counts ? 'done' : 'given-back';
}

function newRunning(): Running {
  const running = {
    stop: new AbortController(),
    stopCleanup: new AbortController(),
    lost: new AbortController(),
  };
  running.lost.signal.addEventListener('abort', () => {
    running.stop.abort();
    running.stopCleanup.abort();
  });
  return running;
}

interface LeaseOptions {
  token: string;
  leaseMs: number;
  /** Another worker may be given it from now on, or soon: whatever is under way has to end. */
  onOver(why: 'taken' | 'silence'): void;
}

/** Parts of the lease. */
const renewAfter = 0.25;
/** What is under way still has to be stopped before the lease is over. */
const giveUpAfter = 0.5;

/** Keeps a job ours, as long as the queue hears of us. */
class Lease {
  readonly #job: ItemJob;
  readonly #options: LeaseOptions;
  readonly #renewing: NodeJS.Timeout;
  #patience: NodeJS.Timeout;
  #isOver = false;

  /** It was taken a moment ago. */
  constructor(job: ItemJob, options: LeaseOptions) {
    this.#job = job;
    this.#options = options;
    this.#patience = this.#givingUp();
    this.#renewing = setInterval(() => void this.#renew(), options.leaseMs * renewAfter);
  }

  release(): void {
    clearInterval(this.#renewing);
    clearTimeout(this.#patience);
    this.#isOver = true;
  }

  async #renew(): Promise<void> {
    const { token, leaseMs } = this.#options;
    // It holds from when it was asked for: the answer may take its time.
    const patience = this.#givingUp();
    try {
      const renewed = await this.#job.extendLock(token, leaseMs);
      if (this.#isOver) clearTimeout(patience);
      else if (renewed !== 1) this.#end('taken', patience);
      else {
        clearTimeout(this.#patience);
        this.#patience = patience;
      }
    } catch {
      // BullMQ throws if it is not ours any more.
      this.#end('taken', patience);
    }
  }

  #givingUp(): NodeJS.Timeout {
    const { leaseMs } = this.#options;
    return setTimeout(() => this.#end('silence'), leaseMs * giveUpAfter);
  }

  #end(why: 'taken' | 'silence', patience?: NodeJS.Timeout): void {
    clearTimeout(patience);
    if (this.#isOver) return;
    this.release();
    this.#options.onOver(why);
  }
}
