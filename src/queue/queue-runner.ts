import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import { UsageError } from '../base/errors.js';
import type { Problems } from '../config/problems/problem.js';
import type { Labels } from '../plan/labels.js';
import type { Plan } from '../plan/plan.js';
import { proctorVersion } from '../proctor-version.js';
import { nameKeptOutputsFolder } from '../run/journal/kept-outputs.js';
import { mergeLimits } from '../run/prepare/prepare-eval.js';
import {
  makeRunToRecord,
  type PreparedRun,
  type Runner,
  type RunnerContext,
  type RunRequest,
} from '../run/runner.js';
import { RedisBlobStore } from './bundle/blob-store.js';
import { BundleError } from './bundle/bundle-errors.js';
import { type Bundle, listReachedPaths, packBundle } from './bundle/pack-bundle.js';
import { sendBundle } from './bundle/send-bundle.js';
import { RunCoordinator } from './coordinator/run-coordinator.js';
import { SubmittedRun } from './coordinator/submitted-run.js';
import {
  NoFittingWorkerError,
  RunCancelledError,
  WorkerWatch,
  waitForWorker,
} from './coordinator/worker-watch.js';
import { listLabelQueues } from './job-queue.js';
import { QueueKeys } from './queue-keys.js';
import type { QueueUse } from './queue-use.js';
import {
  connectToQueue,
  duplicateConnection,
  onOutage,
  QueueUnreachableError,
} from './redis-connection.js';
import { packRunOptions } from './run-options.js';
import { RunStore } from './run-store.js';
import type { RunTicket, WorkerFindings } from './run-ticket.js';
import { listPresentWorkers } from './worker/worker-presence.js';

const queueAway = 'The queue cannot be reached: waiting for it to come back';
const queueBack = 'The queue is back';
const unknownRun =
  'This queue does not have the run: it has expired, or is in another queue. What is missing is queued as a new run';
const cancelledRun =
  'The run was cancelled: collecting what workers have done. The same command will then continue with what has changed';

/** Runs evals on workers, which take the task runs out of a queue. */
export class QueueRunner implements Runner {
  readonly #context: RunnerContext;
  readonly #use: QueueUse;
  readonly #keys: QueueKeys;
  readonly #redis: Redis;
  readonly #blocking: Redis;
  readonly #reader = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;

  /** Throws UsageError. */
  static async connect(context: RunnerContext, use: QueueUse): Promise<QueueRunner> {
    try {
      const redis = await connectToQueue(use.address);
      onOutage(redis, (isAway) =>
        context.emit({ type: 'message', text: isAway ? queueAway : queueBack }),
      );
      return new QueueRunner(context, use, redis, duplicateConnection(redis));
    } catch (error) {
      throw error instanceof QueueUnreachableError ? new UsageError(error.message) : error;
    }
  }

  private constructor(context: RunnerContext, use: QueueUse, redis: Redis, blocking: Redis) {
    this.#context = context;
    this.#use = use;
    this.#keys = new QueueKeys(use.address.prefix);
    this.#redis = redis;
    this.#blocking = blocking;
  }

  /** Throws UsageError, also if all workers lack something. */
  async prepare(request: RunRequest, _: Problems, signal: AbortSignal): Promise<PreparedRun> {
    const { emit } = this.#context;
    const known = await this.#findKnown(request);
    const isNew = known === undefined;
    const submitted = known ?? (await this.#create(request));
    const findings = isNew ? await this.#awaitFirstWorker(submitted, signal) : undefined;
    const watch = new WorkerWatch(this.#redis, this.#keys, submitted.ticket, {
      workers: (now) => emit({ type: 'workers', now }),
      refused: (worker, reason) => emit({ type: 'worker-refused', worker, reason }),
    });
    let coordinator: RunCoordinator | undefined;
    return {
      execute: async (hooks) => {
        coordinator = new RunCoordinator({
          ...makeRunToRecord(request, this.#context, hooks),
          // Workers that have the run do what it was submitted with, whatever --force changes.
          ...(!isNew && { isForced: false, changedFiles: [] }),
          run: submitted,
          isNew,
          ...(findings && { findings }),
          redis: this.#redis,
          blocking: this.#blocking,
          reader: this.#reader,
          isUndecided: request.evalToRun.options.plan.autoRuns !== undefined,
          slots: await this.#countSlots(),
          isDetached: this.#use.isDetached,
        });
        watch.start();
        try {
          return await coordinator.run();
        } finally {
          watch.stop();
        }
      },
      interrupt: () => coordinator?.interrupt(),
      close: async () => {
        watch.stop();
        // Never opened: no worker has begun anything.
        if (isNew && !coordinator) await submitted.remove().catch(() => {});
        await submitted.close().catch(() => {});
      },
    };
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    this.#blocking.disconnect();
  }

  /** Finds the run that is resumed, if this queue has it. Throws UsageError if workers do something else. */
  async #findKnown({ pending, evalToRun }: RunRequest): Promise<SubmittedRun | undefined> {
    const { previous, abandoned, isOtherThanRecorded } = pending.decision;
    const store = new RunStore(this.#redis, this.#keys);
    if (abandoned !== undefined) await store.stop(abandoned);
    if (previous?.queue === undefined) return undefined;
    const ticket = await store.read(previous.queue);
    if (!ticket) {
      this.#context.emit({ type: 'message', text: unknownRun });
      return undefined;
    }
    const submitted = this.#createSubmittedRun(ticket, evalToRun.plan);
    const state = await store.stateOf(ticket.id);
    if (state === 'preparing') {
      // The check was killed before workers had anything to do.
      await submitted.remove();
      await submitted.close();
      return undefined;
    }
    if (isOtherThanRecorded) {
      // What workers do by the files of then must not be recorded as done by the files of now.
      if (state !== 'stopping') throw otherFilesError(ticket.id);
      this.#context.emit({ type: 'message', text: cancelledRun });
    }
    return submitted;
  }

  async #create(request: RunRequest): Promise<SubmittedRun> {
    const use = this.#use;
    const bundle = await this.#pack(request).catch(throwUsageError);
    const bytes = bundle.manifest.bytes;
    this.#note(
      `Sending ${bundle.manifest.files.length} files (${Math.ceil(bytes / 1024)} KiB) to the queue`,
    );
    const { prefix } = use.address;
    const store = new RedisBlobStore(this.#redis, { prefix, keepMs: use.lifetime });
    await sendBundle(bundle, store).catch(throwUsageError);
    const ticket = await this.#describe(request, bundle);
    return this.#createSubmittedRun(ticket, request.evalToRun.plan);
  }

  #pack({ evalToRun, files }: RunRequest): Promise<Bundle> {
    const { bundleRoot, maxBundleBytes } = this.#use;
    return packBundle({
      root: bundleRoot ?? evalToRun.evalFolder,
      reached: listReachedPaths(evalToRun.suites, evalToRun.plan, evalToRun.environment),
      outputs: [files.results, files.journal, nameKeptOutputsFolder(files.journal)],
      maxBytes: maxBundleBytes,
    });
  }

  async #describe({ id, evalToRun, files }: RunRequest, bundle: Bundle): Promise<RunTicket> {
    const { suite, plan, options } = evalToRun;
    const evalFile = await bundle.placeOf(suite.eval.source.path);
    if (evalFile === undefined) throw new Error(`${plan.file} is not in its own bundle`);
    const now = Date.now();
    return {
      id: randomUUID(),
      proctor: proctorVersion,
      evaluation: id,
      name: plan.name,
      bundle: bundle.id,
      evalFile,
      options: await packRunOptions(options, (path) => bundle.placeOf(path)),
      limits: mergeLimits(suite.eval.data.config.limits, options.limits),
      tasks: plan.tasks.map(({ name }) => name),
      variants: plan.variants.map(({ name }) => name),
      queues: listLabelQueues(plan.tasks.map(({ definition }) => definition.workerLabels)),
      filesFolder: basename(nameKeptOutputsFolder(files.journal)),
      budget: options.budget,
      startedAt: now,
      expiresAt: now + this.#use.lifetime,
    };
  }

  #createSubmittedRun(ticket: RunTicket, { tasks }: Plan): SubmittedRun {
    const labels = new Map<string, Labels>(
      tasks.map(({ name, definition }) => [name, definition.workerLabels]),
    );
    const labelsOf = (task: number) => labels.get(ticket.tasks[task] ?? '') ?? {};
    return new SubmittedRun(this.#redis, this.#keys, ticket, labelsOf);
  }

  async #awaitFirstWorker(
    run: SubmittedRun,
    signal: AbortSignal,
  ): Promise<WorkerFindings | undefined> {
    try {
      return await waitForWorker(this.#redis, this.#keys, run, {
        signal,
        note: (text) => this.#note(text),
      });
    } catch (error) {
      await run.remove();
      if (error instanceof RunCancelledError) throw new UsageError(error.message);
      if (error instanceof NoFittingWorkerError) throw new UsageError(error.message, error.reasons);
      throw error;
    }
  }

  #note(text: string): void {
    this.#context.emit({ type: 'progress', text });
  }

  async #countSlots(): Promise<number> {
    const workers = await listPresentWorkers(this.#redis, this.#keys);
    return workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  }
}

function otherFilesError(id: string): UsageError {
  const message = '--resume: files or options are not those that the workers were given';
  const hint = `stop them with proctor queue cancel ${id}; then the same command collects what they have done, and once more continues`;
  return new UsageError(message, hint);
}

function throwUsageError(error: unknown): never {
  throw error instanceof BundleError ? new UsageError(error.message, error.hint) : error;
}
