import { BlockedCalls } from '../../../analysis/blocked-calls.js';
import type { JournalEvent } from '../../../journal/event.js';
import { isAgentCall, type McpCall, type Warning } from '../../../journal/mcp-events.js';
import type { RunRecord, RunsDecided } from '../../../journal/run-events.js';
import { RunState } from '../../../journal/run-state.js';
import { formatTaskName, type PhaseName } from '../../../journal/task-run-events.js';
import { findSuspectedError, truncateSuspicion } from '../../../results/suspected-errors.js';
import { formatCallName } from '../../render-call.js';
import { describeWait, formatStepName, truncateText } from '../wording.js';
import { describeFinishedTaskRun, type FinishedTaskRun } from './finished-task-run.js';
import type { PlanSummary, Redact, TaskSummary } from './plan-summary.js';
import { TaskRunEvidence } from './task-run-evidence.js';

/** A task run that goes on. Times are those of the given clock. */
export interface RunningTaskRun {
  task: string;
  run: number;
  runs: number;
  /** There may be more. */
  isOpen: boolean;
  /** Who does it, where workers do. */
  worker: string | undefined;
  since: number;
  phase: PhaseName | undefined;
  phaseSince: number;
  /** How many calls the agent made. */
  calls: number;
  blocked: BlockedCalls;
  callErrors: number;
  /** Calls whose result looks like an error, and is not marked as one. */
  suspectedErrors: number;
  /** Of the agent, while it works. */
  latestCall: string | undefined;
  /** The step that runs. */
  step: { name: string; since: number } | undefined;
  /** For what, while limits of the check make it wait. */
  waiting: { for: string; since: number } | undefined;
  evidence: TaskRunEvidence;
}

/** Further failures are kept without their evidence: the results have it. */
const maxEvidence = 100;

const maxLatestCall = 200;

/** Everything that is shown during a check and after it: a fold over its events. */
export class ProgressState {
  readonly plan: PlanSummary;
  readonly running = new Map<string, RunningTaskRun>();
  readonly warnings = new WarningCounts();
  readonly suspectedErrors = new SuspectedErrorCounts();
  /** As far as it is known: whose tokens they are. */
  readonly models: { agent?: string; judge?: string } = {};
  /** Names of the servers that have not answered yet. */
  readonly uncheckedServers = new Set<string>();
  startedAt: number | undefined;
  /** By task and number of the run. */
  readonly #finished = new Map<string, Map<number, FinishedTaskRun>>();
  readonly #tasks: ReadonlyMap<string, TaskSummary>;
  readonly #redact: Redact;
  readonly #now: () => number;
  #evidenceKept = 0;
  #finishedCount = 0;
  #openTasks: number;
  readonly #run = new RunState();

  constructor(plan: PlanSummary, redact: Redact, now: () => number) {
    const tasks = plan.tasks.map((task) => ({
      ...task,
      name: redact(task.name),
      task: redact(task.task),
    }));
    this.plan = { ...plan, tasks };
    this.#tasks = new Map(tasks.map((task) => [task.name, task]));
    this.#openTasks = tasks.filter(({ isOpen }) => isOpen).length;
    this.#redact = redact;
    this.#now = now;
  }

  get finished(): FinishedTaskRun[] {
    return [...this.#finished.values()].flatMap((runs) => [...runs.values()]);
  }

  /** Asked with every task run that ends, of which there can be a hundred thousand. */
  get finishedCount(): number {
    return this.#finishedCount;
  }

  finishedCountOf(task: string): number {
    return this.#finished.get(task)?.size ?? 0;
  }

  /** With --runs auto: there may be more task runs than are planned by now. */
  get isOpen(): boolean {
    return this.#openTasks > 0;
  }

  taskOf(name: string): TaskSummary | undefined {
    return this.#tasks.get(name);
  }

  finishedRunsOf(task: string): FinishedTaskRun[] {
    return [...(this.#finished.get(task)?.values() ?? [])];
  }

  /** Gives the task run that ended with the event. */
  apply(event: JournalEvent): FinishedTaskRun | undefined {
    this.#run.apply(event);
    switch (event.type) {
      case 'run-started':
        this.startedAt ??= this.#now();
        this.#noteModels(this.#run.record);
        for (const { name } of event.mcpServers) this.uncheckedServers.add(name);
        break;
      case 'run-resumed':
        this.startedAt ??= this.#now();
        this.#noteModels(this.#run.record);
        // They ran in a process that is gone, unless workers went on. What was cancelled is done again.
        for (const taskRun of this.running.keys()) {
          if (!this.#run.isRunning(taskRun)) this.running.delete(taskRun);
        }
        this.#forgetCancelled();
        break;
      case 'server-checked':
        this.uncheckedServers.delete(event.server);
        break;
      case 'task-run-started':
        this.#start(event);
        break;
      case 'runs-decided':
        this.#decide({ ...event, task: this.#redact(formatTaskName(event)) });
        break;
      case 'task-run-ended':
        return this.#end({ ...event, task: this.#redact(formatTaskName(event)) });
      case 'warning':
        this.warnings.add(this.#redacted(event));
        this.#applyToTaskRun(event);
        break;
      default:
        this.#applyToTaskRun(event);
    }
    return undefined;
  }

  #noteModels({
    agent,
    variants = [],
    judge,
  }: Partial<Pick<RunRecord, 'agent' | 'variants' | 'judge'>> = {}): void {
    const agents = agent ? [agent] : variants.map((variant) => variant.agent);
    const models = new Set(agents.flatMap(({ model }) => model ?? []));
    if (models.size > 0) this.models.agent = this.#redact([...models].join(', '));
    if (judge?.model !== undefined) this.models.judge = this.#redact(judge.model);
  }

  /** Decisions come again with --resume, which has read already what they come to. */
  #decide({ task, runs, settled }: RunsDecided): void {
    const known = this.#tasks.get(task);
    // Nor does it count where the number of runs is given by now.
    if (known?.isOpen === undefined) return;
    const isOpen = settled === undefined;
    this.#openTasks += Number(isOpen) - Number(known.isOpen === true);
    this.plan.taskRuns += runs - known.runs;
    Object.assign(known, { runs, isOpen, settled });
    for (const run of this.#finished.get(task)?.values() ?? [])
      Object.assign(run, { runs, isOpen });
  }

  #start(event: Extract<JournalEvent, { type: 'task-run-started' }>) {
    const { taskRun, run, runs } = event;
    const task = this.#redact(formatTaskName(event));
    const since = this.#now();
    this.uncheckedServers.clear();
    this.#forgetCancelledRun(task, run);
    this.running.set(taskRun, {
      task,
      run,
      runs,
      isOpen: this.#tasks.get(task)?.isOpen === true,
      worker: event.worker === undefined ? undefined : this.#short(event.worker),
      since,
      phase: undefined,
      phaseSince: since,
      calls: 0,
      blocked: new BlockedCalls(),
      callErrors: 0,
      suspectedErrors: 0,
      latestCall: undefined,
      step: undefined,
      waiting: undefined,
      evidence: new TaskRunEvidence(this.#redact),
    });
  }

  #applyToTaskRun(event: JournalEvent): void {
    const id = 'taskRun' in event ? event.taskRun : undefined;
    const running = id === undefined ? undefined : this.running.get(id);
    if (!running) return;
    running.evidence.see(event);
    switch (event.type) {
      case 'phase-started':
        running.phase = event.phase;
        running.phaseSince = this.#now();
        running.latestCall = undefined;
        running.step = undefined;
        break;
      case 'step-started':
        running.step = { name: this.#short(formatStepName(event)), since: this.#now() };
        break;
      case 'step-ended':
        running.step = undefined;
        break;
      case 'wait-started':
        running.waiting = { for: this.#short(describeWait(event)), since: this.#now() };
        break;
      case 'wait-ended':
        running.waiting = undefined;
        break;
      case 'agent-output':
        if (event.kind === 'tool-call') running.latestCall = this.#short(event.tool ?? '');
        break;
      case 'mcp-call':
        if (isAgentCall(event)) this.#countCall(running, event);
    }
  }

  #countCall(running: RunningTaskRun, call: McpCall): void {
    running.calls++;
    if (call.blocked) running.blocked.addCall({ ...call, name: this.#short(call.name ?? '') });
    if (call.isError) running.callErrors++;
    const suspicion = findSuspectedError(call);
    if (suspicion !== undefined) running.suspectedErrors++;
    this.suspectedErrors.add(call, suspicion, this.#redact);
    // A call that never got its answer is recorded when the agent is long done.
    const isAtWork = running.phase === undefined || running.phase === 'agent';
    if (isAtWork) running.latestCall = this.#short(`${call.server}.${formatCallName(call)}`);
  }

  #forgetCancelled(): void {
    for (const [task, runs] of this.#finished) {
      for (const run of runs.keys()) this.#forgetCancelledRun(task, run);
    }
  }

  /** It is done again. */
  #forgetCancelledRun(task: string, run: number): void {
    const runs = this.#finished.get(task);
    const ended = runs?.get(run);
    if (ended?.outcome !== 'cancelled') return;
    runs?.delete(run);
    this.#finishedCount--;
    if (ended.evidence) this.#evidenceKept--;
  }

  #end(event: Extract<JournalEvent, { type: 'task-run-ended' }>): FinishedTaskRun | undefined {
    const running = this.running.get(event.taskRun);
    this.running.delete(event.taskRun);
    // Of a process that was killed: only cleaned up, and done again.
    if (!running && event.outcome === 'cancelled') return undefined;
    const runs = this.#finished.get(event.task) ?? new Map<number, FinishedTaskRun>();
    this.#finished.set(event.task, runs);
    // A later attempt takes the place of those before.
    if (runs.get(event.run)?.evidence) this.#evidenceKept--;
    const { runs: planned = event.run, isOpen = false } = this.#tasks.get(event.task) ?? {};
    const finished = describeFinishedTaskRun(
      event,
      {
        runs: running?.runs ?? planned,
        isOpen: running?.isOpen ?? isOpen,
        suspectedErrors: running?.suspectedErrors ?? 0,
        ...(running?.worker !== undefined && { worker: running.worker }),
        blocked: running?.blocked.tools ?? [],
      },
      running?.evidence,
      this.#redact,
    );
    if (this.#evidenceKept >= maxEvidence) {
      delete finished.evidence;
      delete finished.answer;
    }
    if (finished.evidence) this.#evidenceKept++;
    if (!runs.has(event.run)) this.#finishedCount++;
    runs.set(event.run, finished);
    return finished;
  }

  #short(text: string): string {
    return truncateText(this.#redact(text), maxLatestCall);
  }

  #redacted(warning: Warning): Warning {
    return { ...warning, message: this.#redact(warning.message) };
  }
}

/** Warnings of one kind about one server, or about one script: the first one, and how many there were. */
interface CountedWarning {
  server?: string;
  message: string;
  count: number;
}

const maxKinds = 50;
const maxMessage = 500;

/** Counts warnings, so that the same trouble in a hundred task runs is shown once. */
class WarningCounts {
  readonly #kinds = new Map<string, CountedWarning>();

  get all(): CountedWarning[] {
    return [...this.#kinds.values()];
  }

  add(warning: Warning): void {
    const { server, message } = warning;
    const key = keyOf(warning);
    const known = this.#kinds.get(key);
    if (known) known.count++;
    else if (this.#kinds.size < maxKinds) {
      this.#kinds.set(key, {
        ...(server === undefined ? {} : { server }),
        message: truncateText(message, maxMessage),
        count: 1,
      });
    }
  }

  countOf(warning: Warning): number {
    return this.#kinds.get(keyOf(warning))?.count ?? 0;
  }
}

function keyOf({ code, server, message }: Warning): string {
  return JSON.stringify([code, server, ...(code === 'program-missing' ? [message] : [])]);
}

/** Results of one tool that look like errors and are not marked as such. */
interface SuspectedTool {
  /** `server.tool`. */
  name: string;
  calls: number;
  suspected: number;
  /** The first one. */
  example: string;
}

/** An agent can think up names without end. */
const maxTools = 500;
const maxName = 200;

/** For the author of a server: which tools do not mark their errors. */
class SuspectedErrorCounts {
  readonly #tools = new Map<string, SuspectedTool>();

  /** Every call of the agent is counted, so that a share can be shown. */
  add({ kind, server, name = '' }: McpCall, suspicion: string | undefined, redact: Redact): void {
    if (kind !== 'tool') return;
    const key = JSON.stringify([server, name]);
    const known = this.#tools.get(key);
    if (!known && this.#tools.size === maxTools) return;
    const tool = known ?? {
      name: truncateText(redact(`${server}.${name}`), maxName),
      calls: 0,
      suspected: 0,
      example: '',
    };
    this.#tools.set(key, tool);
    tool.calls += 1;
    if (suspicion === undefined) return;
    tool.suspected += 1;
    if (tool.example === '') tool.example = truncateSuspicion(redact(suspicion));
  }

  get all(): SuspectedTool[] {
    return [...this.#tools.values()].filter(({ suspected }) => suspected > 0);
  }
}
