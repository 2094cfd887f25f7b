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

/** An event as the journal has it. */
type Recorded<Event> = Event & Pick<JournalEvent, 'seq' | 'at'>;

/**
 * What is planned, begun, ended and spent in a run: a fold over its events. Live display, `--resume` and
 * results share it, so that they agree on what is done. Memory holds a few words for each task run, and
 * nothing of what happened in it.
 */
export class RunState {
  /** The first event; undefined if it was lost. */
  started: Recorded<RunStarted> | undefined;
  /** How the run was set up. A forced `--resume` replaces parts of it; a damaged journal may not have all. */
  record: Partial<RunRecord> | undefined;
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
  readonly open = new Map<string, Recorded<TaskRunStarted>>();
  /**
   * The number of the latest attempt at each task run, by `formatTaskRunKey`. The next attempt gets the next
   * number, so that no two have the same name.
   */
  readonly lastAttempts = new Map<string, number>();
  /**
   * Outcomes of task runs, by `formatTaskRunKey`. Among the attempts that have ended, the one that began last
   * decides. If it was cancelled, the task run has no outcome, and runs again.
   */
  readonly outcomes = new Map<string, Outcome>();
  /** With `--runs auto`: how many runs each task has, as far as is decided, by `formatTaskName`. */
  readonly decidedRuns = new Map<string, number>();
  /** What all attempts took that have ended. */
  readonly tally = new TaskRunTally();
  readonly #clock = new RunClock();
  /** The `seq` of the start of the attempt that decides the outcome, by `formatTaskRunKey`. */
  readonly #decidedBy = new Map<string, number>();
  /** Open attempts whose process is gone: the process that resumes the run ends them. */
  readonly #abandoned = new Set<string>();

  /** Takes the next event in. For the end of an attempt, gives its start, if both are of the same task run. */
  apply(event: JournalEvent): Recorded<TaskRunStarted> | undefined {
    this.#clock.add(event);
    this.tally.apply(event);
    switch (event.type) {
      case 'run-started':
        this.started = event;
        this.record = event.evaluation;
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
        this.planned = addIfBothKnown(this.planned, event.more);
        this.decidedRuns.set(formatTaskName(event), event.runs);
        break;
      case 'run-ended':
        this.runEnd = event;
        this.queue = undefined;
        break;
    }
    return undefined;
  }

  /**
   * Whether an attempt is still running. After a resume, attempts that began before it are running only if workers
   * of the same queue do them.
   */
  isRunning(attempt: string): boolean {
    return !this.runEnd && this.open.has(attempt) && !this.#abandoned.has(attempt);
  }

  /** How long the run took, without the time between a killed process and the one that resumed it. */
  get durationMs(): number {
    return this.#clock.durationMs;
  }

  #resume(event: RunResumed): void {
    this.resumed += 1;
    this.runEnd = undefined;
    if (event.queue === undefined || event.queue !== this.queue) {
      for (const attempt of this.open.keys()) this.#abandoned.add(attempt);
    }
    this.queue = event.queue;
    // With --force the plan may be another one: what is done and what is missing is counted anew.
    this.planned = addIfBothKnown(this.outcomes.size, event.missing);
    this.#renew(event);
  }

  /** Takes over what a forced resume recorded: it counts from then on. */
  #renew({ files, options, agent, variants, judge }: RunResumed): void {
    if (files) this.record = { ...this.record, files };
    if (agent || variants) {
      // All three, as variants may have replaced a single agent, and a judge may be needed no more.
      this.record = { ...this.record, agent, variants, judge };
    }
    if (!options) return;
    this.record = { ...this.record, options };
    // Numbers of runs that were decided before are obsolete.
    if (options.runs !== 'auto') this.decidedRuns.clear();
  }

  #start(event: Recorded<TaskRunStarted>): void {
    this.#noteAttempt(formatTaskRunKey(event), event.attempt);
    this.open.set(event.taskRun, event);
    this.#abandoned.delete(event.taskRun);
  }

  #end(event: TaskRunEnded): Recorded<TaskRunStarted> | undefined {
    const started = this.open.get(event.taskRun);
    const key = formatTaskRunKey(event);
    // Its start is lost. The next attempt must have another name all the same.
    if (!started) this.#noteAttempt(key, readAttemptNumber(event.taskRun));
    if (!started || formatTaskRunKey(started) !== key) return undefined;
    this.open.delete(event.taskRun);
    this.#abandoned.delete(event.taskRun);
    // A line that one --resume could read may be damaged when the next one reads it. If it was the end of attempt 1,
    // that attempt is open again, is cleaned up after, and gets a second end, behind that of attempt 2: attempt 2
    // decides.
    if ((this.#decidedBy.get(key) ?? 0) > started.seq) return started;
    this.#decidedBy.set(key, started.seq);
    if (event.outcome === 'cancelled') this.outcomes.delete(key);
    else this.outcomes.set(key, event.outcome);
    return started;
  }

  #noteAttempt(key: string, attempt: number): void {
    this.lastAttempts.set(key, Math.max(this.lastAttempts.get(key) ?? 0, attempt));
  }
}

function addIfBothKnown(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}

/** What task runs took, agents and judge together, as far as they report it. */
export interface Spending {
  /** US dollars. */
  cost: number;
  /** Input and output tokens. */
  tokens: number;
}

/** Counts what budgets and `--bail` look at: what attempts took, and how many did not pass. */
export class TaskRunTally implements Spending {
  cost: number;
  tokens: number;
  /** Without cancelled attempts, whose task runs run again. */
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

/** Measures how long a run took, without the time between a killed process and the one that resumed it. */
class RunClock {
  /** What earlier processes took. */
  #before = 0;
  /** Time of the first and of the latest event of the current process. */
  #first: string | undefined;
  #latest = '';
  /** As `run-ended` says it, which is better than wall time. */
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
    if (event.type === 'run-ended') this.#measured = event.durationMs;
  }

  get durationMs(): number {
    if (this.#first === undefined) return this.#before;
    const elapsed = Date.parse(this.#latest) - Date.parse(this.#first);
    return this.#before + (this.#measured ?? elapsed);
  }
}
