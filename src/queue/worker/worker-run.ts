import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Labels } from '../../plan/labels.js';
import type { CutOffAttempt } from '../../run/resume/previous-run.js';
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
  /** How many attempts at a task run may be lost with their workers before it is given up. */
  maxLost: number;
  /** Gives the bytes that task runs can still write. */
  room(): Promise<number>;
  labelsOf(task: number): Labels;
  /** Called when items were put into the queue, which other workers may take. */
  onAdded(): void;
  /** Called when the queue was silent for so long that everything under way has to be killed at once. */
  onSilence(): void;
  /** Called when there is no room for files any more. */
  onFull(message: string): void;
}

/** What happens to a job next. `complete`: it leaves the queue. `retry-later`: any worker may take it in a moment. */
type JobResult = 'complete' | 'retry-later';

/** An attempt of this worker that is under way. */
interface Running {
  stop: AbortController;
  stopCleanup: AbortController;
  /** Aborted: another worker has the task run now, or will soon, and cleans up. */
  lost: AbortController;
}

/** Bytes without which a failure says nothing about the agent. */
const leastRoom = 16 * 1024 * 1024;
/** Milliseconds until a job can be taken again that is to be retried. */
const retryAfterMs = 500;

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

  /** Takes the next job of one of its queues; undefined: nothing waits there. */
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
      const result = await this.#attempt(job, token, running);
      if (result === 'complete') await this.#complete(job, token);
      else await job.moveToDelayed(Date.now() + retryAfterMs, token);
    } catch (error) {
      if (!isJobGone(error)) throw error;
      // Another worker has the job, and does the rest.
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
    // Before the job is gone: if this worker is killed in between, another one takes the job, and adds what follows.
    if (await this.#next.add()) this.#options.onAdded();
    await job.moveToCompleted({}, token, false);
  }

  async #attempt(
    job: ItemJob,
    token: string,
    { stop, stopCleanup, lost }: Running,
  ): Promise<JobResult> {
    const item = job.id ?? '';
    if (!(await this.#hasRoom())) return 'retry-later';
    const { keys, maxLost } = this.#options;
    const lock = getLockKey(keys, job.queueName, item);
    const beginning = await this.#attempts.begin(item, { token, lock }, maxLost);
    if (!('attempt' in beginning)) {
      return beginning.kind === 'full' || beginning.kind === 'taken' ? 'retry-later' : 'complete';
    }
    const { attempt, fence } = beginning;
    const assignment: Assignment = {
      item,
      attempt,
      runs: job.data.runs,
      log: { attempts: this.#attempts, fence, lost },
      stop: stop.signal,
      stopCleanup: stopCleanup.signal,
    };
    return this.#carryOut(beginning, assignment);
  }

  async #carryOut(
    { kind, fence, lost, cutOff, sentEvents }: Extract<Beginning, { attempt: unknown }>,
    assignment: Assignment,
  ): Promise<JobResult> {
    const { host } = this.#options;
    if (cutOff !== undefined) {
      await host.cleanUpAfter(JSON.parse(cutOff) as CutOffAttempt, sentEvents, assignment);
    }
    // The attempt stays open, so that the next worker cleans up, as if this one had been lost.
    if (assignment.stopCleanup.aborted) return 'retry-later';
    const nothing = { cost: 0, tokens: 0 };
    if (kind === 'clean' || assignment.stop.aborted) {
      await this.#attempts.end(fence, nothing, []);
      return kind === 'clean' ? 'complete' : 'retry-later';
    }
    if (kind === 'poisonous') {
      return resultIf(await host.giveUp(assignment, lost).end({ outcome: 'error', ...nothing }));
    }
    return this.#run(assignment);
  }

  async #run(assignment: Assignment): Promise<JobResult> {
    try {
      const { log, ended } = await this.#options.host.perform(assignment);
      if (assignment.stopCleanup.aborted) {
        await log.leaveOpen();
        return 'retry-later';
      }
      const { outcome = 'cancelled' } = ended ?? {};
      const spent = sumSpending(ended);
      if (outcome === 'cancelled') {
        await log.end(spent);
        return 'retry-later';
      }
      if (outcome !== 'passed' && !(await this.#hasRoom())) {
        await log.end(spent, 'the worker had no room for files: it is done again');
        return 'retry-later';
      }
      return resultIf(await log.end({ outcome, ...spent }));
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      await this.#attempts.end(assignment.log.fence, { cost: 0, tokens: 0 }, []);
      this.#options.onFull(error.message);
      return 'retry-later';
    }
  }

  async #hasRoom(): Promise<boolean> {
    if ((await this.#options.room()) >= leastRoom) return true;
    this.#options.onFull('there is no room for files of task runs');
    return false;
  }
}

/** `counts`: whether the attempt was still the one that counts when it ended. Otherwise the job is tried again. */
function resultIf(counts: boolean): JobResult {
  return counts ? 'complete' : 'retry-later';
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
  /** Called when another worker may be given the job, now or soon: whatever is under way has to end. */
  onOver(why: 'taken' | 'silence'): void;
}

/** Part of the lease after which it is renewed. */
const renewAfter = 0.25;
/** Part of the lease after which, without an answer, it is given up: in the rest, what is under way is stopped. */
const giveUpAfter = 0.5;

/** The right to do a job, which is renewed as long as the queue answers. */
class Lease {
  readonly #job: ItemJob;
  readonly #options: LeaseOptions;
  readonly #renewing: NodeJS.Timeout;
  #patience: NodeJS.Timeout;
  #isOver = false;

  /** The job was taken a moment ago. */
  constructor(job: ItemJob, options: LeaseOptions) {
    this.#job = job;
    this.#options = options;
    this.#patience = this.#startPatience();
    this.#renewing = setInterval(() => void this.#renew(), options.leaseMs * renewAfter);
  }

  release(): void {
    clearInterval(this.#renewing);
    clearTimeout(this.#patience);
    this.#isOver = true;
  }

  async #renew(): Promise<void> {
    const { token, leaseMs } = this.#options;
    // Counts from the request, because the answer may take its time.
    const patience = this.#startPatience();
    try {
      const renewed = await this.#job.extendLock(token, leaseMs);
      if (this.#isOver) clearTimeout(patience);
      else if (renewed !== 1) this.#end('taken', patience);
      else {
        clearTimeout(this.#patience);
        this.#patience = patience;
      }
    } catch {
      // BullMQ throws if another worker has the job.
      this.#end('taken', patience);
    }
  }

  #startPatience(): NodeJS.Timeout {
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
