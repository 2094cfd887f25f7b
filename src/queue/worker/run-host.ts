import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stopLeftovers } from '../../base/processes/leftover-processes.js';
import { makeRunMarkVariables } from '../../base/processes/process-identity.js';
import { slugify } from '../../base/text.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import type { EventBody } from '../../journal/event.js';
import { addSpending } from '../../journal/run-state.js';
import { nameAttempt, type TaskRunEnded } from '../../journal/task-run-events.js';
import type { Limits } from '../../limits/limits.js';
import type { PlannedTask } from '../../plan/plan.js';
import { EventStream, type Journal } from '../../run/journal/event-stream.js';
import type { OutputKeeper, OutputName } from '../../run/journal/kept-outputs.js';
import { type BlockRedactor, redactBlocks } from '../../run/journal/redaction.js';
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

/** The journal of a run on this worker. The events of each attempt go to its own log. */
class RunJournal implements Journal {
  readonly #redactor: Redactor;
  /** By the names of attempts. */
  readonly #logs = new Map<string, AttemptLog>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Sends the events of an attempt to a log, until the returned function is called. */
  open(attempt: string, log: AttemptLog): () => void {
    this.#logs.set(attempt, log);
    return () => this.#logs.delete(attempt);
  }

  logOf(attempt: string): AttemptLog | undefined {
    return this.#logs.get(attempt);
  }

  readClock(): string {
    return new Date().toISOString();
  }

  write(body: EventBody, at = this.readClock()): number {
    const attempt = 'taskRun' in body ? body.taskRun : undefined;
    if (attempt !== undefined) return this.#logs.get(attempt)?.write(body, at) ?? 0;
    // It belongs to no attempt, so that any log will do. Without one there is nothing worth recording.
    const [log] = this.#logs.values();
    log?.note(body);
    return 0;
  }

  pressure(): Promise<void> | undefined {
    const behind = [...this.#logs.values()].flatMap((log) => log.pressure() ?? []);
    return behind.length > 0 ? Promise.all(behind).then(() => {}) : undefined;
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.flush()));
  }

  redact(text: string): string {
    return this.#redactor.text(text);
  }
}

/** Bytes of an output that is sent through the queue at most. */
const maxOutput = 32 * 1024 * 1024;

/** Sends outputs that are too long for the journal to where the journal is. */
class OutputUpload implements OutputKeeper {
  readonly #journal: RunJournal;
  /** Beside the journal. */
  readonly #folder: string;
  readonly #redactor: BlockRedactor;

  constructor(journal: RunJournal, folder: string, redactor: BlockRedactor) {
    this.#journal = journal;
    this.#folder = folder;
    this.#redactor = redactor;
  }

  async keep(
    { taskRun: attempt, phase, step }: OutputName,
    spilled: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const kept: Record<string, string> = {};
    const log = this.#journal.logOf(attempt);
    if (!log) return kept;
    // The slugs of two attempts can be the same.
    const digest = createHash('sha256').update(attempt).digest('hex').slice(0, 8);
    for (const [output, source] of Object.entries(spilled)) {
      const name = `${slugify(attempt)}-${phase}-${step}-${slugify(output)}-${digest}.txt`;
      try {
        await this.#send(log, name, source);
        kept[output] = `${this.#folder}/${name}`;
      } catch {
        // The journal, which has its beginning and its end, is what counts.
      }
    }
    return kept;
  }

  async #send(log: AttemptLog, name: string, source: string): Promise<void> {
    const { size } = await stat(source);
    if (size > maxOutput) throw new Error(`${name} is too long to be sent`);
    const chunks = createReadStream(source, { encoding: 'utf8', highWaterMark: 256 * 1024 });
    let offset = 0;
    for await (const block of redactBlocks(chunks, this.#redactor)) {
      await log.file(name, offset, block);
      offset += Buffer.byteLength(block);
    }
  }
}
