import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import { UsageError } from '../base/errors.js';
import type { Problems } from '../config/problems/problem.js';
import type { Labels } from '../plan/labels.js';
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
import type { RunTicket, WorkerSetup } from './run-ticket.js';
import { listPresentWorkers } from './worker/worker-presence.js';

const queueAway = 'The queue cannot be reached: waiting for it to come back';
const queueBack = 'The queue is back';

/** Lets the machines execute task runs that take them out of a queue. */
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

  /** Throws UsageError, also if the workers that are there lack something. */
  async prepare(request: RunRequest, _: Problems, signal: AbortSignal): Promise<PreparedRun> {
    const { emit } = this.#context;
    const run = (await this.#findKnown(request)) ?? (await this.#create(request));
    const setup = run.isNew ? await this.#awaitFirstSetup(run.handed, signal) : undefined;
    const watch = new WorkerWatch(this.#redis, this.#keys, run.handed.about, {
      workers: (now) => emit({ type: 'workers', now }),
      refused: (worker, reason) => emit({ type: 'worker-refused', worker, reason }),
    });
    let queued: RunCoordinator | undefined;
    return {
      execute: async (listener) => {
        queued = new RunCoordinator({
          ...makeRunToRecord(request, this.#context, listener),
          run: run.handed,
          ...(setup && { setup }),
          redis: this.#redis,
          blocking: this.#blocking,
          reader: this.#reader,
          isUndecided: request.evalToRun.options.plan.autoRuns !== undefined,
          slots: await this.#countSlots(),
          isDetached: this.#use.isDetached,
        });
        watch.start();
        try {
          return await queued.run();
        } finally {
          watch.stop();
        }
      },
      interrupt: () => queued?.interrupt(),
      close: async () => {
        watch.stop();
        // It was never opened: no worker has anything to do in it.
        if (run.isNew && !queued) await run.handed.remove().catch(() => {});
        await run.handed.close().catch(() => {});
      },
    };
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    this.#blocking.disconnect();
  }

  /** The run that is resumed, as long as the queue knows it. */
  async #findKnown(
    request: RunRequest,
  ): Promise<{ handed: SubmittedRun; isNew: false } | undefined> {
    const { previous, abandoned, hasChanged } = request.pending.decision;
    const store = new RunStore(this.#redis, this.#keys);
    if (abandoned !== undefined) await store.stop(abandoned);
    if (previous?.queue === undefined) return undefined;
    const about = await store.read(previous.queue);
    if (!about) return undefined;
    const handed = this.#handedOver(about, request);
    if ((await store.stateOf(about.id)) !== 'preparing') {
      // What workers do is what the files were, and must not go by another name.
      if (hasChanged) throw otherFilesError(about.id);
      return { handed, isNew: false };
    }
    // The check was killed before workers had anything to do in it.
    await handed.remove();
    await handed.close();
    return undefined;
  }

  async #create(request: RunRequest): Promise<{ handed: SubmittedRun; isNew: true }> {
    const use = this.#use;
    const bundle = await this.#pack(request).catch(throwUsageError);
    const bytes = bundle.manifest.bytes;
    this.#note(
      `Sending ${bundle.manifest.files.length} files (${Math.ceil(bytes / 1024)} KiB) to the queue`,
    );
    const { prefix } = use.address;
    const store = new RedisBlobStore(this.#redis, { prefix, keepMs: use.lifetime });
    await sendBundle(bundle, store).catch(throwUsageError);
    const about = await this.#describe(request, bundle);
    return { handed: this.#handedOver(about, request), isNew: true };
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

  #handedOver(about: RunTicket, { evalToRun: { plan } }: RunRequest): SubmittedRun {
    const labels = new Map<string, Labels>(
      plan.tasks.map(({ name, definition }) => [name, definition.workerLabels]),
    );
    const labelsOf = (task: number) => labels.get(about.tasks[task] ?? '') ?? {};
    return new SubmittedRun(this.#redis, this.#keys, about, labelsOf);
  }

  async #awaitFirstSetup(run: SubmittedRun, signal: AbortSignal): Promise<WorkerSetup | undefined> {
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
  return new UsageError(
    message,
    `stop what they do with proctor queue cancel ${id}, then try again`,
  );
}

function throwUsageError(error: unknown): never {
  throw error instanceof BundleError ? new UsageError(error.message, error.hint) : error;
}
