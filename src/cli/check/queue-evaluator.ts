import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import type { Problems } from '../../config/problem.js';
import type { Labels } from '../../plan/labels.js';
import { proctorVersion } from '../../proctor-version.js';
import type { Bundle } from '../../queue/bundle/bundle.js';
import { BundleError } from '../../queue/bundle/bundle-errors.js';
import { packBundle } from '../../queue/bundle/pack-bundle.js';
import { reachedPaths } from '../../queue/bundle/reached-paths.js';
import { RedisBlobStore } from '../../queue/bundle/redis-blob-store.js';
import { sendBundle } from '../../queue/bundle/send-bundle.js';
import { HandedOverRun } from '../../queue/coordinator/handed-over-run.js';
import { QueuedEvaluation } from '../../queue/coordinator/queued-evaluation.js';
import {
  NoFittingWorker,
  RunCancelled,
  waitForWorker,
} from '../../queue/coordinator/wait-for-worker.js';
import { WorkerWatch } from '../../queue/coordinator/worker-watch.js';
import { labelQueuesFor } from '../../queue/label-queues.js';
import { QueueKeys } from '../../queue/queue-keys.js';
import type { QueueRun, WorkerSetup } from '../../queue/queue-run.js';
import {
  anotherConnection,
  connectToQueue,
  onOutage,
  QueueUnreachable,
} from '../../queue/redis-connection.js';
import { RunStore } from '../../queue/run-store.js';
import { presentWorkers } from '../../queue/worker/worker-presence.js';
import { keptOutputsFolder } from '../../run/journal/kept-outputs.js';
import { limitSettings } from '../../run/prepare/limit-settings.js';
import type { Bail, Budget } from '../../run/schedule/stop-conditions.js';
import { UsageError } from '../exit-codes.js';
import type { EvalToRun, Evaluator, ReadyEval } from './evaluator.js';
import type { CheckDisplay } from './live/check-display.js';
import type { QueueUse } from './queue-use.js';
import { runOptionsOf } from './run-options.js';

interface QueueEvaluatorOptions {
  use: QueueUse;
  /** Of the whole check. */
  budget: Budget;
  bail: Bail;
  /** What people see by now: that of the eval whose turn it is. */
  display(): Pick<CheckDisplay, 'note' | 'tell' | 'workers' | 'refused'> | undefined;
}

const queueAway = 'The queue cannot be reached: waiting for it to come back';
const queueBack = 'The queue is back';

/** Task runs on whatever machines take them out of a queue. */
export class QueueEvaluator implements Evaluator {
  readonly #options: QueueEvaluatorOptions;
  readonly #keys: QueueKeys;
  readonly #redis: Redis;
  readonly #blocking: Redis;
  readonly #reader = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;

  /** Throws UsageError. */
  static async connect(options: QueueEvaluatorOptions): Promise<QueueEvaluator> {
    try {
      const redis = await connectToQueue(options.use.address);
      onOutage(redis, (isAway) => options.display()?.tell(isAway ? queueAway : queueBack));
      return new QueueEvaluator(options, redis, anotherConnection(redis));
    } catch (error) {
      throw error instanceof QueueUnreachable ? new UsageError(error.message) : error;
    }
  }

  private constructor(options: QueueEvaluatorOptions, redis: Redis, blocking: Redis) {
    this.#options = options;
    this.#keys = new QueueKeys(options.use.address.prefix);
    this.#redis = redis;
    this.#blocking = blocking;
  }

  /** Throws UsageError, also if the workers that are there lack something. */
  async makeReady(each: EvalToRun, _: Problems, signal: AbortSignal): Promise<ReadyEval> {
    const { budget, bail, use } = this.#options;
    const run = (await this.#known(each)) ?? (await this.#create(each));
    const setup = run.isNew ? await this.#firstSetup(run.handed, signal) : undefined;
    const watch = new WorkerWatch(this.#redis, this.#keys, run.handed.about, {
      workers: (now) => this.#options.display()?.workers(now),
      refused: (worker, reason) => this.#options.display()?.refused(worker, reason),
    });
    let evaluation: QueuedEvaluation | undefined;
    return {
      run: async (onEvent) => {
        const { previous, changed } = each.toDo.earlier;
        const { suite, plan, redactor, options } = each.prepared;
        evaluation = new QueuedEvaluation({
          run: run.handed,
          ...(setup && { setup }),
          redis: this.#redis,
          blocking: this.#blocking,
          reader: this.#reader,
          plan,
          work: each.toDo.work,
          isUndecided: options.plan.autoRuns !== undefined,
          evalPath: suite.eval.source.path,
          record: { id: each.id, ...each.toDo.record },
          journalPath: each.files.journal,
          redactor,
          ...(Number.isFinite(bail.left) && { bail: bail.left }),
          budget,
          slots: await this.#slots(),
          ...(previous && { previous, changed, isForced: options.force }),
          isDetached: use.isDetached,
          onEvent: (event) => {
            bail.see(event);
            onEvent(event);
          },
        });
        watch.start();
        try {
          return await evaluation.run();
        } finally {
          watch.stop();
        }
      },
      interrupt: () => evaluation?.interrupt(),
      close: async () => {
        watch.stop();
        // Nobody has anything to do in it.
        if (run.isNew && !evaluation) await run.handed.remove().catch(() => {});
        await run.handed.close().catch(() => {});
      },
    };
  }

  async close(): Promise<void> {
    this.#redis.disconnect();
    this.#blocking.disconnect();
  }

  /** The run that is resumed, as long as the queue knows it. */
  async #known(each: EvalToRun): Promise<{ handed: HandedOverRun; isNew: false } | undefined> {
    const { previous, abandoned, isOther } = each.toDo.earlier;
    const store = new RunStore(this.#redis, this.#keys);
    if (abandoned !== undefined) await store.stop(abandoned);
    if (previous?.queue === undefined) return undefined;
    const about = await store.read(previous.queue);
    if (!about) return undefined;
    const handed = this.#handedOver(about, each);
    if ((await store.stateOf(about.id)) !== 'preparing') {
      // What workers do is what the files were, and must not go by another name.
      if (isOther) throw otherThanHandedOver(about.id);
      return { handed, isNew: false };
    }
    // The check was killed before workers had anything to do in it.
    await handed.remove();
    await handed.close();
    return undefined;
  }

  async #create(each: EvalToRun): Promise<{ handed: HandedOverRun; isNew: true }> {
    const { use } = this.#options;
    const bundle = await this.#packed(each).catch(refuse);
    const bytes = bundle.manifest.bytes;
    this.#note(
      `Sending ${bundle.manifest.files.length} files (${Math.ceil(bytes / 1024)} KiB) to the queue`,
    );
    const { prefix } = use.address;
    const store = new RedisBlobStore(this.#redis, { prefix, keepMs: use.lifetime });
    await sendBundle(bundle, store).catch(refuse);
    const about = await this.#describe(each, bundle);
    return { handed: this.#handedOver(about, each), isNew: true };
  }

  #packed({ prepared, files }: EvalToRun): Promise<Bundle> {
    const { bundleRoot, maxBundleBytes } = this.#options.use;
    return packBundle({
      root: bundleRoot ?? prepared.evalFolder,
      reached: reachedPaths(prepared.suites, prepared.plan),
      outputs: [files.results, files.journal, keptOutputsFolder(files.journal)],
      maxBytes: maxBundleBytes,
    });
  }

  async #describe({ id, prepared, files }: EvalToRun, bundle: Bundle): Promise<QueueRun> {
    const { suite, plan, options } = prepared;
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
      options: await runOptionsOf(options, bundle),
      limits: limitSettings(suite.eval.data.config.limits, options.limits),
      tasks: plan.tasks.map(({ name }) => name),
      variants: plan.variants.map(({ name }) => name),
      queues: labelQueuesFor(plan.tasks.map(({ definition }) => definition.workerLabels)),
      filesFolder: basename(keptOutputsFolder(files.journal)),
      budget: options.budget,
      startedAt: now,
      expiresAt: now + this.#options.use.lifetime,
    };
  }

  #handedOver(about: QueueRun, { prepared: { plan } }: EvalToRun): HandedOverRun {
    const labels = new Map<string, Labels>(
      plan.tasks.map(({ name, definition }) => [name, definition.workerLabels]),
    );
    const labelsOf = (task: number) => labels.get(about.tasks[task] ?? '') ?? {};
    return new HandedOverRun(this.#redis, this.#keys, about, labelsOf);
  }

  async #firstSetup(run: HandedOverRun, signal: AbortSignal): Promise<WorkerSetup | undefined> {
    try {
      return await waitForWorker(this.#redis, this.#keys, run, {
        signal,
        note: (text) => this.#note(text),
      });
    } catch (error) {
      await run.remove();
      if (error instanceof RunCancelled) throw new UsageError(error.message);
      if (error instanceof NoFittingWorker) throw new UsageError(error.message, error.reasons);
      throw error;
    }
  }

  #note(text: string): void {
    this.#options.display()?.note(text);
  }

  async #slots(): Promise<number> {
    const workers = await presentWorkers(this.#redis, this.#keys);
    return workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  }
}

function otherThanHandedOver(id: string): UsageError {
  const message = '--resume: files or options are not those that the workers were given';
  return new UsageError(
    message,
    `stop what they do with proctor queue cancel ${id}, then try again`,
  );
}

function refuse(error: unknown): never {
  throw error instanceof BundleError ? new UsageError(error.message, error.hint) : error;
}
