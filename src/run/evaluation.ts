import { dirname, relative } from 'node:path';
import type { Agent } from '../agents/agent.js';
import type { McpServer } from '../config/mcp-config-file.js';
import type { Redactor } from '../config/redactor.js';
import { type Evaluation as EvaluationRecord, journalSchema } from '../events/event.js';
import type { Extensions } from '../extensions/extensions.js';
import { startJudge } from '../judge/agent-judge.js';
import type { Judge } from '../judge/judge.js';
import type { Plan, TaskRun } from '../plan/plan.js';
import { stopLeftovers } from '../processes/leftover-processes.js';
import { killEveryGroup, noteRunningGroups } from '../processes/process-group.js';
import { ownIdentity } from '../processes/process-identity.js';
import { closeLedger, openLedger } from '../processes/process-ledger.js';
import { runIdVariable } from '../processes/process-marks.js';
import { proctorVersion } from '../proctor-version.js';
import { RecordingProxy } from '../proxy/recording-proxy.js';
import { type EventListener, EventStream } from './event-stream.js';
import { JournalError } from './journal-error.js';
import { JournalWriter } from './journal-writer.js';
import { judgeFolders } from './judge-folders.js';
import { KeptOutputs } from './kept-outputs.js';
import type { ServerOffer } from './preflight/check-servers.js';
import { cleanUpInterrupted } from './resume/clean-up-interrupted.js';
import { removeFoldersOf, stopLeftoversOf } from './resume/clear-up.js';
import { keyOf, type PreviousRun } from './resume/previous-run.js';
import { runScheduled } from './scheduler.js';
import type { SkillMount } from './task-run/mount-skills.js';
import { runTask } from './task-run/task-run.js';
import type { TaskRunSurroundings } from './task-run/task-run-surroundings.js';
import { Workspace, WorkspaceError } from './workspace.js';

export interface EvaluationOptions {
  plan: Plan;
  /** Those of the plan that are to run. */
  taskRuns: readonly TaskRun[];
  /** Absolute path of the eval file. */
  evalPath: string;
  servers: readonly McpServer[];
  offers: readonly ServerOffer[];
  /** None with --control. */
  agent?: Agent;
  /** The agent's own tool that loads skills. */
  skillTool: string;
  skills?: SkillMount;
  /** The agent that judges, if some step needs one. */
  judge?: Agent;
  /** Those that are needed run already. They are closed when the evaluation is over. */
  extensions: Extensions;
  record: Pick<EvaluationRecord, 'id' | 'files' | 'agent' | 'judge' | 'options'>;
  journalPath: string;
  redactor: Redactor;
  environment: NodeJS.ProcessEnv;
  parallel: number;
  /** Stops after so many task runs that did not pass. */
  bail?: number;
  keepWorkdir?: 'failed' | 'always';
  /** What the journal holds already, with --resume. */
  previous?: PreviousRun;
  /** Files that changed since, with --force. */
  changed?: readonly string[];
  /** The files and options of this run count from now on, whatever they were. */
  isForced?: boolean;
  onEvent: EventListener;
}

export interface EvaluationEnd {
  interrupted: boolean;
  bailed: boolean;
  /** The journal or working directories could not be written any more: everything was stopped. */
  failure?: Error;
}

/** Runs task runs and keeps the journal of it. */
export class Evaluation {
  readonly #options: EvaluationOptions;
  readonly #stop = new AbortController();
  readonly #stopCleanup = new AbortController();
  readonly #started = performance.now();
  #passed = 0;
  #notPassed = 0;
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
    const { plan, onEvent, previous, environment, extensions } = this.#options;
    const { id } = this.#options.record;
    const workspace = await Workspace.create(plan.name);
    const journal = await this.#openJournal().catch(async (error: unknown) => {
      await workspace.remove();
      throw error;
    });
    const events = new EventStream(journal, onEvent);
    const ownEnvironment = { ...environment, [runIdVariable]: id };
    const proxy = await RecordingProxy.start({ sink: events, environment: ownEnvironment });
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
      if (previous) await this.#clearUp(previous, around);
      await this.#runAll(around);
    } finally {
      await judge?.close();
      await extensions.close();
      await proxy.close();
      await stopLeftovers({ runId: id, startedBy: ownIdentity() });
      closeLedger();
      await workspace.remove();
    }
    const end = this.#end();
    events.write({
      type: 'run-ended',
      durationMs: Math.round(performance.now() - this.#started),
      calls: events.calls,
      ...(end.interrupted && { interrupted: true as const }),
      ...(end.bailed && { bailed: true as const }),
    });
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
    return judge && startJudge(judge, { environment, makeFolders: judgeFolders(workspace) });
  }

  async #openJournal(): Promise<JournalWriter> {
    const { journalPath, redactor, previous } = this.#options;
    const onFailure = (failure: JournalError) => this.#fail(failure);
    if (!previous) {
      await KeptOutputs.clear(journalPath);
      return JournalWriter.create(journalPath, { redactor, onFailure, overwrite: true });
    }
    const { lastSeq, length } = previous;
    return JournalWriter.append(journalPath, { redactor, onFailure, lastSeq, length });
  }

  #begin(events: EventStream, workspace: Workspace): void {
    const { plan, taskRuns, evalPath, servers, offers, record } = this.#options;
    const { previous, changed, isForced } = this.#options;
    if (previous) {
      events.write({
        type: 'run-resumed',
        proctor: proctorVersion,
        process: ownIdentity(),
        workspace: workspace.path,
        missing: taskRuns.length,
        ...(changed && changed.length > 0 && { changed: [...changed] }),
        ...(isForced && withoutId(record)),
      });
    } else {
      events.write({
        type: 'run-started',
        schema: journalSchema,
        proctor: proctorVersion,
        command: 'check',
        mcpServers: servers.map(({ name, transport }) => ({ name, transport })),
        evaluation: {
          ...record,
          eval: { name: plan.name, file: relative(dirname(evalPath), evalPath) },
          environment: {
            node: process.version,
            platform: process.platform,
            arch: process.arch,
          },
          taskRuns: taskRuns.length,
          process: ownIdentity(),
          workspace: workspace.path,
        },
      });
    }
    for (const { event } of offers) events.write(event);
  }

  #surroundings(
    events: EventStream,
    proxy: RecordingProxy,
    workspace: Workspace,
    environment: NodeJS.ProcessEnv,
    judge: Judge | undefined,
  ): TaskRunSurroundings {
    const { servers, offers, agent, skillTool, skills, extensions } = this.#options;
    const { evalPath, journalPath, keepWorkdir } = this.#options;
    return {
      events,
      proxy,
      servers,
      allowedTools: new Map(offers.map(({ event }) => [event.server, event.allowedTools])),
      ...(agent && { agent }),
      skillTool,
      ...(skills && { skills }),
      ...(judge && { judge }),
      extensions,
      keptOutputs: new KeptOutputs(journalPath, (text) => events.redact(text)),
      workspace,
      environment,
      evalFolder: dirname(evalPath),
      ...(keepWorkdir && { keepWorkdir }),
      stop: this.#stop.signal,
      stopCleanup: this.#stopCleanup.signal,
    };
  }

  async #clearUp(previous: PreviousRun, around: TaskRunSurroundings): Promise<void> {
    await stopLeftoversOf(previous);
    const { events } = around;
    // As the journal names them.
    const tasks = new Map(this.#options.plan.tasks.map((task) => [events.redact(task.name), task]));
    for (const interrupted of previous.interrupted) {
      // Its turn comes with the next --resume.
      if (this.#stopCleanup.signal.aborted) return;
      await cleanUpInterrupted(interrupted, tasks.get(interrupted.started.task), around);
    }
    await removeFoldersOf(previous);
  }

  async #runAll(around: TaskRunSurroundings): Promise<void> {
    const { taskRuns, parallel, bail, previous } = this.#options;
    await runScheduled(taskRuns, {
      parallel,
      isOver: () => this.#stop.signal.aborted || this.#hasBailed(bail),
      run: async ({ task, run }) => {
        const key = keyOf(around.events.redact(task.name), run);
        const attempt = (previous?.attempts.get(key) ?? 0) + 1;
        const id = `${task.name}#${run}${attempt > 1 ? `.${attempt}` : ''}`;
        try {
          const outcome = await runTask({ id, task, run, attempt }, around);
          if (outcome === 'passed') this.#passed += 1;
          else this.#notPassed += 1;
        } catch (error) {
          // Also of a bug of ours nobody hears before the others are stopped and cleaned up.
          this.#fail(error instanceof Error ? error : new Error(String(error)));
        }
      },
    });
  }

  #hasBailed(bail: number | undefined): boolean {
    return bail !== undefined && this.#notPassed >= bail;
  }

  /** Without its evidence no verdict is worth anything. */
  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#stop.abort();
  }

  #end(): EvaluationEnd {
    const { taskRuns, bail } = this.#options;
    const isComplete = this.#passed + this.#notPassed === taskRuns.length;
    return {
      interrupted: this.#stop.signal.aborted,
      bailed: !isComplete && this.#hasBailed(bail),
      ...(this.#failure && { failure: this.#failure }),
    };
  }
}

function isAboutRoom(failure: Error): boolean {
  return failure instanceof JournalError || failure instanceof WorkspaceError;
}

/** A resumed evaluation keeps its own. */
function withoutId({ id: _, ...record }: EvaluationOptions['record']) {
  return record;
}
