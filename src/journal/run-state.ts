import type { JournalEvent } from './event.js';
import type { RunEnded, RunRecord, RunResumed, RunStarted } from './run-events.js';
import {
  formatTaskName,
  formatTaskRunKey,
  type Outcome,
  readAttemptNumber,
  type TaskRunEnded,
  type TaskRunStarted,
} from './task-run-events.js';

type Placed<Event> = Event & Pick<JournalEvent, 'seq' | 'at'>;

/**
 * What is planned, begun, ended and spent in a run: a fold over its events. Live display, `--resume` and
 * results share it, so that they agree on what is done. Memory holds a few words for each task run, and
 * nothing of what happened in it.
 */
export class RunState {
  /** The first event; undefined if it was lost. */
  started: Placed<RunStarted> | undefined;
  /** What is run, and how. A forced `--resume` replaces parts of it; a damaged journal may not have all. */
  evaluation: Partial<RunRecord> | undefined;
  /** Task runs that are to happen, as far as is known; undefined if the journal does not say. */
  planned: number | undefined;
  /** How often it was resumed. */
  resumed = 0;
  /** The id in a queue, if that is where it is under way. */
  queue: string | undefined;
  /** How the run ended; undefined while it goes on. */
  runEnd: RunEnded | undefined;
  /**
   * Attempts that have begun and not ended, by their names: the member `taskRun` of events, which is called so
   * for the sake of old journals, names an attempt.
   */
  readonly open = new Map<string, Placed<TaskRunStarted>>();
  /** How often each task run was begun, by `formatTaskRunKey`. An end whose start was lost counts, too. */
  readonly attempts = new Map<string, number>();
  /**
   * Outcomes by `formatTaskRunKey`: of each task run, that of the attempt that began last among those that have
   * ended. If that one was cancelled, there is none, because the task run is done again.
   */
  readonly outcomes = new Map<string, Outcome>();
  /** With `--runs auto`: how many runs each task has, as far as is decided, by `formatTaskName`. */
  readonly decidedRuns = new Map<string, number>();
  /** What task runs took, of all attempts that came to an end. */
  readonly tally = new TaskRunTally();
  readonly #clock = new RunClock();
  /** The `seq` with which the attempt began that decides the outcome, by `formatTaskRunKey`. */
  readonly #decidedBy = new Map<string, number>();
  /** Open task runs of a process that is gone: the one that resumes the run ends them. */
  readonly #abandoned = new Set<string>();

  /** Gives the start of the task run that ended with the event, if both belong together. */
  apply(event: JournalEvent): Placed<TaskRunStarted> | undefined {
    this.#clock.add(event);
    this.tally.apply(event);
    switch (event.type) {
      case 'run-started':
        this.started = event;
        this.evaluation = event.evaluation;
        this.planned = event.evaluation?.taskRuns;
        this.queue = event.evaluation?.queue;
        break;
      case 'run-resumed':
        this.#resume(event);
        break;
      case 'task-run-started':
        // The run has gone on, even if the event that says so was lost.
        this.runEnd = undefined;
        this.#start(event);
        break;
      case 'task-run-ended':
        return this.#end(event);
      case 'runs-decided':
        this.planned = addIfKnown(this.planned, event.more);
        this.decidedRuns.set(formatTaskName(event), event.runs);
        break;
      case 'run-ended':
        this.runEnd = event;
        this.queue = undefined;
        break;
    }
    return undefined;
  }

  /** Whether a task run goes on in a process that is there: of an earlier one, only workers of its queue are. */
  isRunning(taskRun: string): boolean {
    return !this.runEnd && this.open.has(taskRun) && !this.#abandoned.has(taskRun);
  }

  /** How long it took, without the time it lay still between processes. */
  get durationMs(): number {
    return this.#clock.durationMs;
  }

  #resume(event: RunResumed): void {
    this.resumed += 1;
    this.runEnd = undefined;
    if (event.queue === undefined || event.queue !== this.queue) {
      for (const taskRun of this.open.keys()) this.#abandoned.add(taskRun);
    }
    this.queue = event.queue;
    // With --force the plan may be another one: what is done and what is missing is counted anew.
    this.planned = addIfKnown(this.outcomes.size, event.missing);
    this.#renew(event);
  }

  /** Takes over what --force recorded: it counts from then on. */
  #renew({ files, options, agent, variants, judge }: RunResumed): void {
    if (files) this.evaluation = { ...this.evaluation, files };
    if (!options) return;
    // Agents as a whole: variants may have replaced a single one.
    this.evaluation = { ...this.evaluation, options, agent, variants, judge };
    // Numbers of runs that were decided before are obsolete.
    if (options.runs !== 'auto') this.decidedRuns.clear();
  }

  #start(event: Placed<TaskRunStarted>): void {
    this.#countAttempts(formatTaskRunKey(event), event.attempt);
    this.open.set(event.taskRun, event);
    this.#abandoned.delete(event.taskRun);
  }

  #end(event: TaskRunEnded): Placed<TaskRunStarted> | undefined {
    const started = this.open.get(event.taskRun);
    const key = formatTaskRunKey(event);
    // Its start may be lost; its name must not be given to the next attempt all the same.
    if (!started) this.#countAttempts(key, readAttemptNumber(event.taskRun));
    if (!started || formatTaskRunKey(started) !== key) return undefined;
    this.open.delete(event.taskRun);
    this.#abandoned.delete(event.taskRun);
    // An earlier attempt ends after a later one if its first end cannot be read: then it is cleaned up once more.
    if ((this.#decidedBy.get(key) ?? 0) > started.seq) return started;
    this.#decidedBy.set(key, started.seq);
    if (event.outcome === 'cancelled') this.outcomes.delete(key);
    else this.outcomes.set(key, event.outcome);
    return started;
  }

  #countAttempts(key: string, atLeast: number): void {
    this.attempts.set(key, Math.max(this.attempts.get(key) ?? 0, atLeast));
  }
}

function addIfKnown(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}

/** What task runs took, agents and judge together, as far as they report it. */
export interface Spending {
  /** US dollars. */
  cost: number;
  /** Input and output tokens. */
  tokens: number;
}

/** Counts what budgets and `--bail` go by: what task runs took, and how many did not pass. */
export class TaskRunTally implements Spending {
  cost: number;
  tokens: number;
  /** Without cancelled ones: these are done again. */
  notPassed = 0;

  constructor({ cost, tokens }: Spending = { cost: 0, tokens: 0 }) {
    this.cost = cost;
    this.tokens = tokens;
  }

  apply(event: JournalEvent): void {
    if (event.type !== 'task-run-ended') return;
    addSpending(this, event);
    if (event.outcome !== 'passed' && event.outcome !== 'cancelled') this.notPassed += 1;
  }
}

/** Adds what a task run took. Unreported and impossible amounts, such as a negative cost, count as 0. */
export function addSpending(sum: Spending, { usage, cost, judge }: TaskRunEnded): void {
  sum.cost += sanitizeAmount(cost) + sanitizeAmount(judge?.cost);
  for (const tokens of [usage, judge?.usage]) {
    sum.tokens += sanitizeAmount(tokens?.inputTokens) + sanitizeAmount(tokens?.outputTokens);
  }
}

function sanitizeAmount(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}

/** How long a run took that may have been killed and resumed: without the time it lay still. */
class RunClock {
  #before = 0;
  /** When the process started to write that wrote the latest events. */
  #first: string | undefined;
  #latest = '';
  #measured: number | undefined;

  add(event: JournalEvent): void {
    if (event.type === 'run-resumed') {
      this.#before = this.durationMs;
      this.#first = undefined;
      this.#measured = undefined;
    }
    if (!Number.isNaN(Date.parse(event.at))) {
      this.#first ??= event.at;
      this.#latest = event.at;
    }
    // Better than wall time, where there is one.
    if (event.type === 'run-ended') this.#measured = event.durationMs;
  }

  get durationMs(): number {
    if (this.#first === undefined) return this.#before;
    const elapsed = Date.parse(this.#latest) - Date.parse(this.#first);
    return this.#before + (this.#measured ?? elapsed);
  }
}
