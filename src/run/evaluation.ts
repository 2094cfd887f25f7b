import { dirname } from 'node:path';
import type { Agent } from '../agents/agent.js';
import { stopLeftovers } from '../base/processes/leftover-processes.js';
import { killEveryGroup, noteRunningGroups } from '../base/processes/process-group.js';
import { ownIdentity } from '../base/processes/process-identity.js';
import { closeLedger, openLedger } from '../base/processes/process-ledger.js';
import { runMarkVariables } from '../base/processes/process-marks.js';
import type { Redactor } from '../config/redactor.js';
import type { Evaluation as EvaluationRecord } from '../events/run-events.js';
import { taskRunKey } from '../events/task-run-key.js';
import type { Extensions } from '../extensions/extensions.js';
import { startJudge } from '../judge/agent-judge.js';
import type { Judge } from '../judge/judge.js';
import type { Limits } from '../limits/limits.js';
import type { Plan } from '../plan/plan.js';
import { RecordingProxy } from '../proxy/recording-proxy.js';
import { type EventListener, EventStream } from './journal/event-stream.js';
import { JournalError } from './journal/journal-writer.js';
import { KeptOutputs } from './journal/kept-outputs.js';
import {
  type EvaluationEnd,
  openJournal,
  writeBeginning,
  writeEnding,
} from './journal/run-recorder.js';
import { cleanUpInterrupted } from './resume/clean-up-interrupted.js';
import { removeFoldersOf, stopLeftoversOf } from './resume/leftovers.js';
import type { PreviousRun } from './resume/previous-run.js';
import { runScheduled, type Work } from './schedule/scheduler.js';
import type { Bail, Budget } from './schedule/stop-conditions.js';
import { type SurroundingsOf, surroundingsOf, taskRunName } from './task-run/context.js';
import { runTask } from './task-run/task-run.js';
import { tellingOfPauses } from './told-pauses.js';
import {
  offersOfSetups,
  recordOfSetups,
  serversOfSetups,
  type VariantSetup,
} from './variant-setup.js';
import { Workspace, WorkspaceError } from './workspace.js';

export interface EvaluationOptions {
  plan: Plan;
  /** Task runs of the plan that are to run. */
  work: Work;
  /** Absolute path of the eval file. */
  evalPath: string;
  /** One for each variant of the plan; without a matrix, one. */
  setups: readonly VariantSetup[];
  /** The agent that judges, if some step needs one. */
  judge?: Agent;
  /** Those that are needed run already. They are closed when the evaluation is over. */
  extensions: Extensions;
  /** Whoever made them closes them. */
  limits: Limits;
  record: Pick<EvaluationRecord, 'id' | 'files' | 'judge' | 'options'>;
  journalPath: string;
  redactor: Redactor;
  environment: NodeJS.ProcessEnv;
  parallel: number;
  /** Of the whole check, like the budget: evals before this one count. */
  bail: Bail;
  /** What the whole check may spend. */
  budget: Budget;
  keepWorkdir?: 'failed' | 'always';
  /** What the journal holds already, with --resume. */
  previous?: PreviousRun;
  /** Servers that were only asked what they offer, on their way out. */
  leaving?: Promise<void>;
  /** What records, if some of its servers run already. It is closed when the evaluation is over. */
  proxy?: RecordingProxy;
  /** Files that changed since, with --force. */
  changed?: readonly string[];
  /** The files and options of this run count from now on, whatever they were. */
  isForced?: boolean;
  /** Runs of this process that wait for their turn: what they have started already is not left by this one. */
  waiting?: readonly string[];
  onEvent: EventListener;
}

/**
 * Task runs whose slot is free again while their servers leave. More would be more processes than anybody
 * asked for, if servers take longer to leave than task runs take.
 */
const mostLeaving = 8;

/** Runs task runs and keeps the journal of it. */
export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #stop = new AbortController();
  readonly #stopCleanup = new AbortController();
  readonly #started = performance.now();
  readonly #leaving = new Set<Promise<void>>();
  /** It left something out. */
  #hasBailed = false;
  #failure: Error | undefined;

  constructor(options: EvaluationOptions) {
    this.#options = options;
  }

  /** Once: what runs is stopped and cleaned up. Twice: cleaning up is stopped too. */
  interrupt(): void {
    if (!this.#stop.signal.aborted) {
      this.#stop.abort();
      return;
    }
    this.#stopCleanup.abort();
    killEveryGroup();
  }

  /** Throws a WorkspaceError or a JournalError if it cannot begin. */
  async run(): Promise<EvaluationEnd> {
    const { onEvent, previous, environment, extensions, waiting } = this.#options;
    const { budget, bail } = this.#options;
    const { id } = this.#options.record;
    const workspace = await Workspace.create();
    const journal = await openJournal({
      ...this.#options,
      onFailure: (failure) => this.#fail(failure),
    }).catch(async (error: unknown) => {
      await workspace.remove();
      throw error;
    });
    const events = new EventStream(journal, (event) => {
      budget.see(event);
      bail.see(event);
      onEvent(event);
    });
    budget.start();
    const ownEnvironment = { ...environment, ...runMarkVariables(id) };
    const proxy =
      this.#options.proxy ??
      (await RecordingProxy.start({ sink: events, environment: ownEnvironment }));
    proxy.recordTo(events);
    openLedger(workspace.ledger);
    // Extensions run since before there was one.
    noteRunningGroups();
    let judge: Judge | undefined;
    try {
      judge = await this.#startJudge(workspace, ownEnvironment);
      this.#begin(events, workspace);
      // Whoever resumes has to find the folders, however soon we are killed.
      await events.flush();
      const around = this.#surroundings(events, proxy, workspace, ownEnvironment, judge);
      if (previous) await this.#clearUp(previous, around, events);
      await this.#runAll(around, events);
    } finally {
      await judge?.close();
      await extensions.close();
      await proxy.close();
      await stopLeftovers({
        runId: id,
        startedBy: ownIdentity(),
        ...(waiting && { spareRuns: waiting }),
      });
      closeLedger();
      await workspace.remove();
    }
    const end = this.#end();
    writeEnding(events, this.#started, end);
    await journal.close().catch(() => {});
    const { failure } = this.#end();
    if (failure && !isAboutRoom(failure)) throw failure;
    // The very last write may have failed too.
    return { ...end, ...(failure && { failure }) };
  }

  async #startJudge(
    workspace: Workspace,
    environment: NodeJS.ProcessEnv,
  ): Promise<Judge | undefined> {
    const { judge } = this.#options;
    return (
      judge && startJudge(judge, { environment, makeFolders: () => workspace.makeJudgeFolders() })
    );
  }

  #begin(events: EventStream, workspace: Workspace): void {
    const { setups, record } = this.#options;
    writeBeginning(events, {
      ...this.#options,
      record: { ...record, ...recordOfSetups(setups) },
      mcpServers: serversOfSetups(setups),
      offers: offersOfSetups(setups),
      workspace: workspace.path,
    });
  }

  /** What surrounds the task runs of each variant. */
  #surroundings(
    events: EventStream,
    proxy: RecordingProxy,
    workspace: Workspace,
    environment: NodeJS.ProcessEnv,
    judge: Judge | undefined,
  ): SurroundingsOf {
    const { setups, extensions, limits, evalPath, journalPath, keepWorkdir } = this.#options;
    const { redactor } = this.#options;
    return surroundingsOf(setups, {
      events,
      proxy,
      ...(judge && { judge }),
      extensions,
      agentSlots: limits.agents,
      modelTurns: tellingOfPauses(limits.rates, events),
      keptOutputs: new KeptOutputs(journalPath, redactor),
      workspace,
      environment,
      evalFolder: dirname(evalPath),
      ...(keepWorkdir && { keepWorkdir }),
      stop: this.#stop.signal,
      stopCleanup: this.#stopCleanup.signal,
    });
  }

  async #clearUp(
    previous: PreviousRun,
    aroundOf: SurroundingsOf,
    events: EventStream,
  ): Promise<void> {
    await stopLeftoversOf(previous);
    const { plan, setups } = this.#options;
    // As the journal names them.
    const tasks = new Map(plan.tasks.map((task) => [events.redact(task.name), task]));
    const variants = new Map(
      setups.map(({ variant }) => [variant && events.redact(variant.name), variant?.name]),
    );
    for (const interrupted of previous.interrupted) {
      // Its turn comes with the next --resume.
      if (this.#stopCleanup.signal.aborted) return;
      const { task, variant } = interrupted.started;
      // With --force the matrix may be another one: then any knows what cleaning up needs.
      const around = aroundOf(variants.get(variant)) ?? aroundOf(setups[0]?.variant?.name);
      if (around) await cleanUpInterrupted(interrupted, tasks.get(task), around);
    }
    await removeFoldersOf(previous);
  }

  async #runAll(aroundOf: SurroundingsOf, events: EventStream): Promise<void> {
    const { work, parallel, previous, leaving } = this.#options;
    if (leaving) await this.#letLeave(leaving, work.next(false) === undefined);
    await runScheduled(work, {
      parallel,
      isOver: () => this.#isOver(),
      run: async (taskRun) => {
        const { task, run } = taskRun;
        const variant = taskRun.variant?.name;
        const key = taskRunKey({
          task: events.redact(task.name),
          run,
          variant: variant && events.redact(variant),
        });
        const attempt = (previous?.attempts.get(key) ?? 0) + 1;
        const id = taskRunName({ task: task.name, variant, run }, attempt);
        try {
          const around = aroundOf(variant);
          if (!around) throw new Error(`nobody does tasks for the variant ${variant}`);
          const { outcome, left } = await runTask({ id, task, variant, run, attempt }, around);
          const decision = work.ended(taskRun, outcome);
          if (decision) events.write(decision);
          await this.#letLeave(left, taskRun.parallel);
        } catch (error) {
          this.#failFor(error);
        }
      },
    });
    await Promise.all(this.#leaving);
  }

  /**
   * Servers leave behind task runs that may be beside others. One that runs alone is alone with its
   * servers, too: those of the next one may want the same file or port.
   */
  async #letLeave(left: Promise<void>, isParallel: boolean): Promise<void> {
    const leaving = left
      .catch((error: unknown) => this.#failFor(error))
      .finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
    if (!isParallel || this.#leaving.size > mostLeaving) await leaving;
  }

  /** Also of a bug of ours nobody hears before the others are stopped and cleaned up. */
  #failFor(error: unknown): void {
    this.#fail(error instanceof Error ? error : new Error(String(error)));
  }

  /** Asked only if there is something to start: what says yes has left that out. */
  #isOver(): boolean {
    const { bail, budget } = this.#options;
    if (this.#stop.signal.aborted) return true;
    this.#hasBailed = bail.isDue;
    return this.#hasBailed || budget.isSpent();
  }

  /** Without its evidence no verdict is worth anything. */
  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#stop.abort();
  }

  #end(): EvaluationEnd {
    const { reached } = this.#options.budget;
    return {
      interrupted: this.#stop.signal.aborted,
      bailed: this.#hasBailed,
      ...(reached && { budget: reached }),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

function isAboutRoom(failure: Error): boolean {
  return failure instanceof JournalError || failure instanceof WorkspaceError;
}
