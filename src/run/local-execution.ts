import { dirname } from 'node:path';
import {
  listOtherRuns,
  openProcessLedger,
  stopLeftovers,
} from '../base/processes/leftover-processes.js';
import { killEveryGroup, recordRunningGroups } from '../base/processes/process-group.js';
import { getOwnIdentity } from '../base/processes/process-identity.js';
import { formatTaskRunKey, nameAttempt } from '../journal/task-run-events.js';
import type { Limits } from '../limits/limits.js';
import type { TaskRun } from '../plan/plan.js';
import type { RecordingProxy } from '../proxy/recording-proxy.js';
import type { EventStream } from './journal/event-stream.js';
import { JournalError } from './journal/journal-writer.js';
import { KeptOutputs } from './journal/kept-outputs.js';
import { RunRecorder, type RunToRecord, type StopCauses } from './journal/run-recorder.js';
import { cleanUpCutOffAttempt } from './resume/clean-up-cut-off.js';
import { removeFoldersOfRun, stopLeftoversOfRun } from './resume/leftovers.js';
import type { PreviousRun } from './resume/previous-run.js';
import { runScheduled } from './schedule/scheduler.js';
import type { FindContext } from './task-run/context.js';
import { runTask } from './task-run/task-run.js';
import { TaskRunHost } from './task-run/task-run-host.js';
import { makeStartFields, type ReadyParticipants } from './variant-setup.js';
import { Workspace, WorkspaceError } from './workspace.js';

export interface LocalExecutionOptions extends RunToRecord, ReadyParticipants {
  /** Closed by the caller. */
  limits: Limits;
  /** With the mark of this run, by which processes that it starts are found again. */
  environment: NodeJS.ProcessEnv;
  parallel: number;
  keepWorkdir?: 'failed' | 'always' | undefined;
  /** Settles when the servers have exited that were started only for preflight. */
  preflightServersExited?: Promise<void>;
  /**
   * A proxy some of whose servers run already. The TaskRunHost closes it, and the caller, too, in case nothing was
   * executed: closing twice is harmless.
   */
  proxy?: RecordingProxy | undefined;
}

/**
 * How many finished task runs may still be waiting for their servers to exit before the next one has to wait. Without
 * a limit, slow servers would pile up.
 */
const mostExiting = 8;

/** Executes the task runs of one run in this process, with one journal, one proxy and one workspace. */
export class LocalExecution {
  readonly #options: LocalExecutionOptions;
  readonly #stop = new AbortController();
  readonly #stopCleanup = new AbortController();
  /** One for each task run whose servers have not exited yet; settles when they have. */
  readonly #exits = new Set<Promise<void>>();
  /** Whether `--bail` left something out. */
  #hasBailed = false;
  /** Whether an interruption left a task run out, or ended one before its verdict or its cleanup. */
  #wasInterrupted = false;
  #begin: Promise<void> | undefined;
  #hasBegun = false;
  #failure: Error | undefined;

  constructor(options: LocalExecutionOptions) {
    this.#options = options;
  }

  /** Once: what runs is stopped and cleaned up. Twice: cleaning up is stopped too. */
  interrupt(): void {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort();
      return;
    }
    this.#stopCleanup.abort();
    killEveryGroup({ spareRuns: listOtherRuns(this.#options.record.id) });
  }

  /** Throws a WorkspaceError, a JournalError or a UsageError if it cannot begin. */
  async execute(): Promise<StopCauses> {
    const workspace = await Workspace.create();
    const recorder = await RunRecorder.open(this.#options, (failure) => this.#fail(failure)).catch(
      async (error: unknown) => {
        await workspace.remove();
        throw error;
      },
    );
    try {
      await this.#runInWorkspace(workspace, recorder);
      return await this.#end(recorder);
    } finally {
      await recorder.close().catch(() => {});
    }
  }

  /** Removes the workspace afterwards. */
  async #runInWorkspace(workspace: Workspace, recorder: RunRecorder): Promise<void> {
    const { previous } = this.#options;
    const { id } = this.#options.record;
    const { events } = recorder;
    const closeLedger = openProcessLedger(workspace.processLedger);
    // Extensions were started before the ledger was opened.
    recordRunningGroups();
    let host: TaskRunHost | undefined;
    try {
      host = await this.#startHost(events, workspace);
      recorder.writeStart({ ...makeStartFields(this.#options), workspace: workspace.path });
      if (previous) {
        // The next --resume has to find the folders, however soon this process is killed.
        await events.flush();
        await this.#cleanUpAfter(previous, host.findContext, events);
      }
      await this.#runAll(host.findContext, recorder);
    } finally {
      await host?.close();
      await stopLeftovers({
        runId: id,
        startedBy: getOwnIdentity(),
        spareRuns: listOtherRuns(id),
      });
      closeLedger();
      await workspace.remove();
    }
  }

  /** Ends the journal when nothing runs any more. */
  async #end(recorder: RunRecorder): Promise<StopCauses> {
    const { previous, hasEarlier } = this.#options;
    const causes = this.#describeStopCauses();
    // A run that had nothing to start has a journal all the same. One that was kept from starting anything by an
    // interruption or a budget must not cost what an earlier run has done.
    const isKeptFromStarting = causes.interrupted || (causes.budget && hasEarlier());
    if (!isKeptFromStarting) await this.#beginOnce(recorder);
    if (!this.#hasBegun && !previous) {
      if (causes.failure) throw causes.failure;
      return { ...causes, hasNoJournal: true };
    }
    await recorder.end(causes);
    const { failure } = this.#describeStopCauses();
    if (failure && !isStorageError(failure)) throw failure;
    // The very last write may have failed too.
    return { ...causes, ...(failure && { failure }) };
  }

  #startHost(events: EventStream, workspace: Workspace): Promise<TaskRunHost> {
    const { setups, judge, extensions, limits, proxy, environment } = this.#options;
    const { evalPath, journalPath, keepWorkdir, redactor } = this.#options;
    return TaskRunHost.start({
      setups,
      judge,
      extensions,
      limits,
      proxy,
      events,
      keptOutputs: new KeptOutputs(journalPath, redactor),
      workspace,
      environment,
      evalFolder: dirname(evalPath),
      keepWorkdir,
      stop: this.#stop.signal,
      stopCleanup: this.#stopCleanup.signal,
    });
  }

  /** Stops and cleans up what the killed process of a resumed run left. */
  async #cleanUpAfter(
    previous: PreviousRun,
    findContext: FindContext,
    events: EventStream,
  ): Promise<void> {
    await stopLeftoversOfRun(previous);
    const { plan, setups } = this.#options;
    // The journal has redacted names.
    const tasks = new Map(plan.tasks.map((task) => [events.redact(task.name), task]));
    const variants = new Map(
      setups.map(({ variant }) => [variant && events.redact(variant.name), variant?.name]),
    );
    for (const cutOff of previous.cutOff) {
      const { task, variant } = cutOff.started;
      // With --force the matrix may be another one: then any variant has what cleaning up needs.
      const context = findContext(variants.get(variant)) ?? findContext(setups[0]?.variant?.name);
      const isCutShort =
        this.#stopCleanup.signal.aborted ||
        (context && !(await cleanUpCutOffAttempt(cutOff, tasks.get(task), context)));
      if (isCutShort) {
        // The next --resume cleans up after this attempt and the others.
        this.#wasInterrupted = true;
        return;
      }
    }
    await removeFoldersOfRun(previous);
  }

  async #runAll(findContext: FindContext, recorder: RunRecorder): Promise<void> {
    const { work, parallel, preflightServersExited } = this.#options;
    const startsParallel = work.peek(false) === undefined;
    if (preflightServersExited) await this.#letServersExit(preflightServersExited, startsParallel);
    await runScheduled(work, {
      parallel,
      isOver: () => this.#isOver(),
      run: async (taskRun) => {
        try {
          await this.#beginOnce(recorder);
          // A full disk shows only now: then nothing is to be started.
          if (!this.#failure) await this.#runOne(taskRun, findContext, recorder.events);
        } catch (error) {
          this.#fail(error);
        }
      },
    });
    await Promise.all(this.#exits);
  }

  /**
   * Replaces what earlier runs left by the journal of this one, the first time it is called: before the first task run,
   * or at the end of a run that had none to start.
   */
  #beginOnce(recorder: RunRecorder): Promise<void> {
    this.#begin ??= recorder.begin().then(() => {
      this.#hasBegun = true;
    });
    return this.#begin;
  }

  async #runOne(taskRun: TaskRun, findContext: FindContext, events: EventStream): Promise<void> {
    const { work, previous } = this.#options;
    const { task, run } = taskRun;
    const variant = taskRun.variant?.name;
    const key = formatTaskRunKey({
      task: events.redact(task.name),
      run,
      variant: variant && events.redact(variant),
    });
    const attempt = (previous?.lastAttempts.get(key) ?? 0) + 1;
    const id = nameAttempt({ task: task.name, variant, run }, attempt);
    const context = findContext(variant);
    if (!context) throw new Error(`there is no setup for the variant ${variant}`);
    const { outcome, departure } = await runTask({ id, task, variant, run, attempt }, context);
    if (outcome === 'cancelled' || this.#stopCleanup.signal.aborted) this.#wasInterrupted = true;
    const decision = work.ended(taskRun, outcome);
    if (decision) events.write(decision);
    await this.#letServersExit(departure, taskRun.parallel);
  }

  /**
   * Lets servers exit while parallel task runs go on. After a sequential task run it waits for them: the servers of the
   * next one may want the same file or port.
   */
  async #letServersExit(exited: Promise<void>, isParallel: boolean): Promise<void> {
    const settled = exited
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#exits.delete(settled));
    this.#exits.add(settled);
    if (!isParallel || this.#exits.size > mostExiting) await settled;
  }

  /** Called only when another task run could start, so `true` means that one was left out. */
  #isOver(): boolean {
    const { bail, budget } = this.#options;
    if (this.#stop.signal.aborted) {
      this.#wasInterrupted = true;
      return true;
    }
    this.#hasBailed = bail.isDue;
    return this.#hasBailed || budget.isSpent();
  }

  /** Stops all task runs; `execute()` throws the error afterwards if it is no storage error. */
  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    this.#stop.abort();
  }

  #describeStopCauses(): StopCauses {
    const { reached } = this.#options.budget;
    return {
      interrupted: this.#wasInterrupted || this.#failure !== undefined,
      bailed: this.#hasBailed,
      ...(reached && { budget: reached }),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

/** Whether a journal or a working directory could not be written, as a disk is full. */
export function isStorageError(error: unknown): error is JournalError | WorkspaceError {
  return error instanceof JournalError || error instanceof WorkspaceError;
}
