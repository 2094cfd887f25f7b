import { errorMessage } from '../../base/errors.js';
import { formatEventLine } from '../../journal/event.js';
import type { Labels } from '../../plan/labels.js';
import { proctorVersion } from '../../proctor-version.js';
import { createMemberRedaction } from '../../run/journal/redaction.js';
import { makeStartFields } from '../../run/variant-setup.js';
import type { UnpackedBundle } from '../bundle/bundle-cache.js';
import { listLastingBullKeys } from '../queue-keys.js';
import { haveSameFindings, type RunStore } from '../run-store.js';
import type { RunTicket, WorkerFindings } from '../run-ticket.js';
import { type OpenedSuite, SuiteNotReadyError } from './opened-suite.js';
import type { QueueWorkerOptions } from './queue-worker-options.js';
import { RunHost } from './run-host.js';
import { WorkerRun } from './worker-run.js';

interface JoiningOptions extends QueueWorkerOptions {
  onSilence(): void;
  onFull(message: string): void;
}

/** Milliseconds after which a worker that lacks something looks again: a server may have started since. */
const tryAgainAfter = 15_000;
const expireEvery = 5_000;
/** Milliseconds for which BullMQ's keys stay when a run is gone: another worker may not know it yet. */
const goneLife = 600_000;

/** A run that this worker takes part in, as soon as it has everything that it needs for it. */
export class RunMembership {
  readonly ticket: RunTicket;
  readonly #worker: string;
  readonly #store: RunStore;
  readonly #options: JoiningOptions;
  readonly #stop = new AbortController();
  #run: WorkerRun | undefined;
  #bundle: UnpackedBundle | undefined;
  #starting: Promise<void> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;
  #reason: string | undefined;
  #redact = (text: string) => text;
  #expiresUntil = 0;

  /** `worker` is the id of the worker. */
  constructor(ticket: RunTicket, worker: string, store: RunStore, options: JoiningOptions) {
    this.ticket = ticket;
    this.#worker = worker;
    this.#store = store;
    this.#options = options;
  }

  /** Undefined: it is not ready yet, or lacks something. */
  get run(): WorkerRun | undefined {
    return this.#run;
  }

  /** Never rejects: what is missing is reported. */
  start(): Promise<void> {
    this.#starting = this.#join().catch((error: unknown) => this.#refuse(error));
    return this.#starting;
  }

  /** Sets when BullMQ's keys expire, which it does not do itself. */
  async keepExpiring(): Promise<void> {
    if (performance.now() < this.#expiresUntil) return;
    this.#expiresUntil = performance.now() + expireEvery;
    await this.#expire(this.ticket.expiresAt);
  }

  async #expire(at: number): Promise<void> {
    const { redis } = this.#options;
    const { id, queues } = this.ticket;
    const keys = listLastingBullKeys(this.#store.keysOf(id), queues);
    const expiry = redis.pipeline();
    for (const key of keys) expiry.pexpireat(key, at);
    await expiry.exec();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#retry);
    await this.#starting;
    await this.#run?.close();
    if (this.#run) await this.#leaveNothing();
    await this.#bundle?.release();
    if (this.#run) this.#options.onNews({ kind: 'left', run: this.ticket });
  }

  /** Lets BullMQ's keys expire: a last request of this worker may have made them anew after the run was removed. */
  async #leaveNothing(): Promise<void> {
    const isGone = (await this.#store.stateOf(this.ticket.id)) === undefined;
    await this.#expire(isGone ? Date.now() + goneLife : this.ticket.expiresAt);
  }

  async #join(): Promise<void> {
    const { openSuite, takeBundle, environment, workspace, onNews } = this.#options;
    if (this.ticket.proctor !== proctorVersion) {
      throw new SuiteNotReadyError(
        `the check was started with Proctor ${this.ticket.proctor}, and this worker is Proctor ${proctorVersion}`,
      );
    }
    this.#bundle ??= await takeBundle(this.ticket.bundle);
    const { signal } = this.#stop;
    // In the workspace, which is removed also if this worker is killed.
    const temporary = workspace.path;
    const context = { environment, signal, temporary };
    const suite = await openSuite(this.ticket, this.#bundle.folder, context);
    const findings = this.#describeFindings(suite);
    const first = await this.#store.recordReady(this.ticket.id, this.#worker, findings);
    if (!haveSameFindings(first, findings) || signal.aborted) {
      await suite.extensions.close();
      if (signal.aborted) return;
      throw new SuiteNotReadyError(
        `its agent or servers are not those of the worker ${first.worker}, which was first: ${describeDifference(first, findings)}`,
      );
    }
    this.#redact = (text) => suite.redactor.text(text);
    this.#run = await this.#open(suite).catch(async (error: unknown) => {
      await suite.extensions.close();
      throw error;
    });
    await this.#store.announce(this.ticket.id);
    onNews({ kind: 'joined', run: this.ticket });
  }

  async #open(suite: OpenedSuite): Promise<WorkerRun> {
    const { redis, limitsOf, workspace, environment, name } = this.#options;
    const { id, tasks } = this.ticket;
    const limits = limitsOf(this.ticket);
    const mark = `${id}/${this.#worker}`;
    const host = await RunHost.start(
      this.ticket,
      { suite, limits, workspace, environment, worker: name },
      mark,
    );
    const labels = new Map<string, Labels>(
      suite.plan.tasks.map((task) => [task.name, task.definition.workerLabels]),
    );
    const run = new WorkerRun({
      ...this.#options,
      redis,
      keys: this.#store.keysOf(id),
      run: this.ticket,
      host,
      room: () => workspace.room(),
      labelsOf: (task) => labels.get(tasks[task] ?? '') ?? {},
      onAdded: () => void this.#store.announce(id).catch(() => {}),
    });
    await run.watch();
    return run;
  }

  #describeFindings(suite: OpenedSuite): WorkerFindings {
    const { redactor } = suite;
    const redacted = createMemberRedaction(redactor);
    const { offers, ...participants } = makeStartFields(suite);
    const findings = {
      worker: this.#options.name,
      ...participants,
      offers: offers.map((event) => formatEventLine({ ...event, seq: 0, at: '' }, redacted)),
    };
    return JSON.parse(redactor.json(JSON.stringify(findings))) as WorkerFindings;
  }

  async #refuse(error: unknown): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const reason = this.#redact(errorMessage(error));
    const worker = this.#options.name;
    await this.#store
      .recordRefusal(this.ticket.id, this.#worker, { worker, reason })
      .catch(() => {});
    await this.#store.announce(this.ticket.id).catch(() => {});
    // Printed once; `proctor queue` shows it in any case.
    if (reason !== this.#reason) {
      this.#options.onNews({ kind: 'refused', run: this.ticket, reason });
    }
    this.#reason = reason;
    if (this.#stop.signal.aborted) return;
    this.#retry = setTimeout(() => void this.start(), tryAgainAfter);
  }
}

/** The first thing in which they differ. */
function describeDifference(first: WorkerFindings, own: WorkerFindings): string {
  const agents = ({ agent, variants }: WorkerFindings) => JSON.stringify(agent ?? variants);
  if (agents(first) !== agents(own)) return `${agents(own)}, and not ${agents(first)}`;
  return 'the servers offer something else';
}
