import { dirname } from 'node:path';
import { stopLeftovers } from '../../base/processes/leftover-processes.js';
import { makeRunMarkVariables } from '../../base/processes/process-identity.js';
import { addSpending } from '../../journal/run-state.js';
import { nameAttempt, type TaskRunEnded } from '../../journal/task-run-events.js';
import type { Limits } from '../../limits/limits.js';
import type { PlannedTask } from '../../plan/plan.js';
import { EventStream } from '../../run/journal/event-stream.js';
import { cleanUpCutOffAttempt } from '../../run/resume/clean-up-cut-off.js';
import type { CutOffAttempt } from '../../run/resume/previous-run.js';
import { describeStart, type TaskRunContext } from '../../run/task-run/context.js';
import { runTask } from '../../run/task-run/task-run.js';
import { TaskRunHost } from '../../run/task-run/task-run-host.js';
import type { Workspace } from '../../run/workspace.js';
import { parseItem } from '../items.js';
import type { RunTicket } from '../run-ticket.js';
import { AttemptLog, type AttemptLogOptions } from './attempt-log.js';
import type { OpenedSuite } from './opened-suite.js';
import { OutputUpload, RunJournal } from './run-journal.js';

interface HostOptions {
  suite: OpenedSuite;
  limits: Limits;
  workspace: Workspace;
  environment: NodeJS.ProcessEnv;
  /** The name of this worker, as events have it. */
  worker: string;
}

/** An attempt at a task run that this worker makes. */
export interface Assignment {
  item: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  /** With `--runs auto`: how many runs the task has at least. */
  runs?: number | undefined;
  /** What the log that sends its events needs. */
  log: Pick<AttemptLogOptions, 'attempts' | 'fence' | 'lost'>;
  stop: AbortSignal;
  stopCleanup: AbortSignal;
}

interface AssignedTask {
  task: PlannedTask;
  variant: string | undefined;
  run: number;
  context: TaskRunContext;
}

/** Everything that the task runs of one run have in common on this worker. */
export class RunHost {
  readonly #run: RunTicket;
  readonly #options: HostOptions;
  readonly #journal: RunJournal;
  readonly #events: EventStream;
  readonly #mark: string;
  readonly #ended = new Map<string, TaskRunEnded>();
  #host: TaskRunHost | undefined;

  private constructor(run: RunTicket, options: HostOptions, mark: string) {
    this.#run = run;
    this.#options = options;
    this.#mark = mark;
    this.#journal = new RunJournal(options.suite.redactor);
    this.#events = new EventStream(this.#journal, (event) => {
      if (event.type === 'task-run-ended') this.#ended.set(event.taskRun, event);
    });
  }

  /** `mark` marks all processes that it starts, and no others. */
  static async start(run: RunTicket, options: HostOptions, mark: string): Promise<RunHost> {
    const host = new RunHost(run, options, mark);
    await host.#start();
    return host;
  }

  async #start(): Promise<void> {
    const { suite, limits, workspace } = this.#options;
    const environment = { ...this.#options.environment, ...makeRunMarkVariables(this.#mark) };
    const never = new AbortController().signal;
    this.#host = await TaskRunHost.start({
      setups: suite.setups,
      judge: suite.judge,
      extensions: suite.extensions,
      limits,
      events: this.#events,
      keptOutputs: new OutputUpload(this.#journal, this.#run.filesFolder, suite.redactor),
      workspace,
      environment,
      evalFolder: dirname(suite.evalPath),
      // Each task run has signals of its own.
      stop: never,
      stopCleanup: never,
    });
  }

  /** Runs a task from setup to cleanup. Its end is sent when the caller ends the log. */
  async perform(
    assignment: Assignment,
  ): Promise<{ log: AttemptLog; ended: TaskRunEnded | undefined }> {
    const { task, variant, run, context } = this.#findTask(assignment);
    const { worker } = this.#options;
    const { attempt } = assignment;
    const id = nameAttempt({ task: task.name, variant, run }, attempt);
    const log = this.#openLog(id, assignment);
    const close = this.#journal.open(id, log);
    try {
      const { departure } = await runTask({ id, task, variant, run, attempt, worker }, context);
      // Before the lease is given back: another worker may have the same task run next.
      await departure;
      return { log, ended: this.#ended.get(id) };
    } finally {
      this.#ended.delete(id);
      close();
    }
  }

  /** Cleans up after an attempt that was lost with its worker. */
  async cleanUpAfter(
    cutOff: CutOffAttempt,
    sentEvents: number,
    assignment: Assignment,
  ): Promise<void> {
    const { task, context } = this.#findTask(assignment);
    const { taskRun: name } = cutOff.started;
    const log = this.#openLog(name, assignment, sentEvents);
    const close = this.#journal.open(name, log);
    try {
      if (await cleanUpCutOffAttempt(cutOff, task, context)) await log.sendEnd();
      else await log.leaveOpen();
    } finally {
      this.#ended.delete(name);
      close();
    }
  }

  /** Gives up on a task run that was lost with too many workers: makes a log with the outcome `error`. */
  giveUp(assignment: Assignment, lost: number): AttemptLog {
    const { task, variant, run, context } = this.#findTask(assignment);
    const { worker } = this.#options;
    const { attempt } = assignment;
    const id = nameAttempt({ task: task.name, variant, run }, attempt);
    const log = this.#openLog(id, assignment);
    const identity = { id, task, variant, run, attempt, worker };
    log.write(describeStart(identity, '', { id: '', port: 0 }, context.evalFolder));
    log.write({
      type: 'task-run-ended',
      taskRun: id,
      task: task.name,
      ...(variant !== undefined && { variant }),
      run,
      outcome: 'error',
      failure: {
        category: 'worker-lost',
        message: `${lost} workers were lost with it, one after the other: it is not tried again`,
        evidence: 1,
      },
      verified: null,
      assertionsHeld: null,
      startedAt: new Date().toISOString(),
      durationMs: 0,
      output: '',
      calls: { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 },
    });
    return log;
  }

  async close(): Promise<void> {
    await this.#host?.close();
    await this.#options.limits.close();
    await stopLeftovers({ runId: this.#mark });
  }

  #findTask({ item, runs, stop, stopCleanup }: Assignment): AssignedTask {
    const { tasks, variants } = this.#run;
    const { task: taskAt, variant: variantAt, run } = parseItem(item) ?? unknown(item);
    const name = tasks[taskAt];
    const variant = variants[variantAt];
    const task = this.#options.suite.plan.tasks.find((planned) => planned.name === name);
    const context = this.#host?.findContext(variant);
    if (!task || !context) throw unknown(item);
    const count = Math.max(task.runs.count, runs ?? 0);
    return {
      task: { ...task, runs: { ...task.runs, count } },
      variant,
      run,
      context: { ...context, stop, stopCleanup },
    };
  }

  #openLog(name: string, { log }: Assignment, sentEvents = 0): AttemptLog {
    return new AttemptLog({ ...log, name, redactor: this.#options.suite.redactor, sentEvents });
  }
}

/** Adds up what an attempt took. */
export function sumSpending(ended: TaskRunEnded | undefined): { cost: number; tokens: number } {
  const spending = { cost: 0, tokens: 0 };
  if (ended) addSpending(spending, ended);
  return spending;
}

function unknown(item: string): never {
  throw new Error(`the suite has no task run ${item}`);
}
