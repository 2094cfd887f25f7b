import { dirname } from 'node:path';
import { listOtherRuns, openLedger, stopLeftovers } from '../base/processes/leftover-processes.js';
import { killEveryGroup, recordRunningGroups } from '../base/processes/process-group.js';
import { getOwnIdentity } from '../base/processes/process-identity.js';
import { formatTaskRunKey, nameAttempt } from '../journal/task-run-events.js';
import type { Limits } from '../limits/limits.js';
import type { TaskRun } from '../plan/plan.js';
import type { RecordingProxy } from '../proxy/recording-proxy.js';
import type { EventStream } from './journal/event-stream.js';
import { JournalError } from './journal/journal-writer.js';
import { KeptOutputs } from './journal/kept-outputs.js';
import { type StopCauses, RunRecorder, type RunToRecord } from './journal/run-recorder.js';
import { cleanUpCutOffTaskRun } from './resume/clean-up-cut-off.js';
import { removeFoldersOfRun, stopLeftoversOfRun } from './resume/leftovers.js';
import type { PreviousRun } from './resume/previous-run.js';
import { runScheduled } from './schedule/scheduler.js';
import type { FindContext } from './task-run/context.js';
import { runTask } from './task-run/task-run.js';
import { TaskRunHost } from './task-run/task-run-host.js';
import { type ReadyParticipants, makeStartFields } from './variant-setup.js';
import { Workspace, WorkspaceError } from './workspace.js';

export interface LocalExecutionOptions extends RunToRecord, ReadyParticipants {
  /** Closed by the caller. */
  limits: Limits;
  /** With the mark of this run, by which processes that it starts are found again. */
  environment: NodeJS.ProcessEnv;
  parallel: number;
  keepWorkdir?: 'failed' | 'always' | undefined;
  /** Settles when servers have left that were only asked what they offer. */
  leaving?: Promise<void>;
  /** A proxy some of whose servers run already. It is closed when the run is over. */
  proxy?: RecordingProxy | undefined;
}

/**
 * Task runs whose slot is free again while their servers leave. More would be more processes than `parallel`
 * asks for, if servers take longer to leave than task runs take.
 */
const mostLeaving = 8;

/** One run in this process: one journal, one proxy, one workspace. */
export class LocalExecution {
  readonly #options: LocalExecutionOptions;
  readonly #stop = new AbortController();
  readonly #stopCleanup = new AbortController();
  readonly #leaving = new Set<Promise<void>>();
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

  /**
   * `not-begun`: it was interrupted before its first task run, and has changed no file. Throws a WorkspaceError, a
   * JournalError or a UsageError if it cannot begin.
   */
  async run(): Promise<StopCauses | 'not-begun'> {
    const { previous } = this.#options;
    const { id } = this.#options.record;
    const workspace = await Workspace.create();
    const recorder = await RunRecorder.open(this.#options, (failure) => this.#fail(failure)).catch(
      async (error: unknown) => {
        await workspace.remove();
        throw error;
      },
    );
    const { events } = recorder;
    const closeLedger = openLedger(workspace.ledger);
    // Extensions run since before there was a ledger.
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
    const ending = this.#describeEnding();
    if (!ending.interrupted) await this.#beginOnce(recorder);
    if (!this.#hasBegun && !previous) {
      if (ending.failure) throw ending.failure;
      return 'not-begun';
    }
    await recorder.end(ending);
    const { failure } = this.#describeEnding();
    if (failure && !isStorageError(failure)) throw failure;
    // The very last write may have failed too.
    return { ...ending, ...(failure && { failure }) };
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
    // By the names that the journal has.
    const tasks = new Map(plan.tasks.map((task) => [events.redact(task.name), task]));
    const variants = new Map(
      setups.map(({ variant }) => [variant && events.redact(variant.name), variant?.name]),
    );
    for (const cutOff of previous.cutOff) {
      // The next --resume cleans up the others.
      if (this.#stopCleanup.signal.aborted) {
        this.#wasInterrupted = true;
        return;
      }
      const { task, variant } = cutOff.started;
      // With --force the matrix may be another one: then any variant has what cleaning up needs.
      const context = findContext(variants.get(variant)) ?? findContext(setups[0]?.variant?.name);
      if (context) await cleanUpCutOffTaskRun(cutOff, tasks.get(task), context);
    }
    await removeFoldersOfRun(previous);
  }

  async #runAll(findContext: FindContext, recorder: RunRecorder): Promise<void> {
    const { work, parallel, leaving } = this.#options;
    const startsParallel = work.next(false) === undefined;
    if (leaving) await this.#letLeave(leaving, startsParallel);
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
    await Promise.all(this.#leaving);
  }

  /** Before the first task run: what earlier runs left is replaced only now. */
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
    const attempt = (previous?.attempts.get(key) ?? 0) + 1;
    const id = nameAttempt({ task: task.name, variant, run }, attempt);
    const context = findContext(variant);
    if (!context) throw new Error(`there is no setup for the variant ${variant}`);
    const { outcome, departure } = await runTask({ id, task, variant, run, attempt }, context);
    if (outcome === 'cancelled' || this.#stopCleanup.signal.aborted) this.#wasInterrupted = true;
    const decision = work.ended(taskRun, outcome);
    if (decision) events.write(decision);
    await this.#letLeave(departure, taskRun.parallel);
  }

  /**
   * Servers leave behind task runs that may be beside others. One that runs alone is alone with its
   * servers, too: those of the next one may want the same file or port.
   */
  async #letLeave(departure: Promise<void>, isParallel: boolean): Promise<void> {
    const leaving = departure
      .catch((error: unknown) => this.#fail(error))
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    if (!isParallel || this.#leaving.size > mostLeaving) await leaving;
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

  /** Stops all task runs; `run()` throws the error afterwards if it is no storage error. */
  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    this.#stop.abort();
  }

  #describeEnding(): StopCauses {
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
