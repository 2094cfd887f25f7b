import { createHash } from 'node:crypto';
import type { JournalEvent } from '../journal/event.js';
import { RunClock } from '../journal/folds.js';
import { type OnLeftOut, readJournal } from '../journal/journal-reader.js';
import { LeftOutList, type LeftOutParts } from '../journal/left-out.js';
import type {
  Evaluation,
  RunResumed,
  RunStarted,
  ServerChecked,
  SpentBudget,
} from '../journal/run-events.js';
import {
  formatTaskName,
  formatTaskRunKey,
  type Outcome,
  type PhaseEnded,
  type TaskRunEnded,
  type TaskRunNumber,
  type TaskRunStarted,
} from '../journal/task-run-events.js';
import { NotAnEvaluation } from './results-errors.js';
import { contradictionOf } from './self-contradiction.js';
import { summaryOf, type TaskRunSummary } from './totals.js';
import { WarningList } from './warning-list.js';

/** What has to be known of a whole journal before its task runs can be told one by one. */
export interface JournalSurvey {
  /** Made up where the first line was lost. */
  id: string;
  /** Undefined: its line was lost. */
  started: RunStarted | undefined;
  /** As much of it as can be read. */
  evaluation: Partial<Evaluation>;
  /** Task runs that were to happen: what was done by then and the rest, with every --resume anew. */
  planned: number;
  startedAt: string | undefined;
  durationMs: number;
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The one that left task runs out. */
  budget: SpentBudget | null;
  resumed: number;
  /** By serverKey. */
  servers: ReadonlyMap<string, ServerChecked>;
  /** Task runs that have begun and have no verdict, unless the run ended. */
  open: TaskRunNumber[];
  /** The `seq` of the events that started them. */
  openedBy: ReadonlySet<number>;
  /** What belongs to no task run. */
  warnings: WarningList;
  /** With `--runs auto`: how many runs tasks came to, by their names in words. */
  runs: ReadonlyMap<string, number>;
  /** The attempt of each task and run that counts, by the `seq` of the event that started it. */
  counted: ReadonlyMap<number, TaskRunSummary>;
  /** Lines, and members of events, that are not what they should be. */
  leftOut: LeftOutParts;
}

/** Servers of several MCP configs may have one name. */
export function serverKey(server: string, mcpConfigFile: string | undefined): string {
  return JSON.stringify([server, mcpConfigFile ?? null]);
}

/** Whether a journal is a recording of `proctor proxy`. */
export function isOfProxy({ evaluation, command }: RunStarted): boolean {
  return !evaluation && command !== 'check';
}

/** Reads a journal once. Throws NotAnEvaluation, and what readJournal throws. */
export async function surveyJournal(path: string): Promise<JournalSurvey> {
  const surveyor = new Surveyor(path);
  const onLeftOut: OnLeftOut = (part) => surveyor.leftOut.add(part);
  for await (const event of readJournal(path, onLeftOut)) surveyor.add(event);
  return surveyor.survey();
}

type End = Pick<JournalSurvey, 'finished' | 'interrupted' | 'bailed' | 'budget'>;

const notEnded: End = { finished: false, interrupted: false, bailed: false, budget: null };

type OpenTaskRun = TaskRunStarted & {
  seq: number;
  brokenAssertion?: string;
  agent?: PhaseEnded;
  verify?: PhaseEnded;
};

class Surveyor {
  readonly leftOut = new LeftOutList();
  readonly #path: string;
  readonly #clock = new RunClock();
  readonly #servers = new Map<string, ServerChecked>();
  readonly #warnings = new WarningList();
  readonly #open = new Map<string, OpenTaskRun>();
  /** By task and run: the latest attempt that ended. */
  readonly #attempts = new Map<string, { seq: number; summary: TaskRunSummary }>();
  readonly #runs = new Map<string, number>();
  #first: (RunStarted & { at: string }) | undefined;
  #end: End = notEnded;
  #resumed = 0;
  /** Seq of the event. */
  #resumedAt = 0;
  /** Undefined: the journal tells no more. */
  #planned: number | undefined;
  /** As a forced --resume has left it. */
  #evaluation: Partial<Evaluation> = {};
  #id = '';
  #hasTraffic = false;

  constructor(path: string) {
    this.#path = path;
  }

  add(event: JournalEvent): void {
    // Told at once: such a journal can be long.
    if (event.type === 'run-started' && isOfProxy(event)) {
      throw new NotAnEvaluation(this.#path, 'recording');
    }
    // The first line may be lost.
    if ((event.type === 'mcp-message' || event.type === 'mcp-call') && !event.taskRun) {
      this.#hasTraffic = true;
    }
    if (this.#id === '') this.#id = idOf(event);
    this.#clock.add(event);
    switch (event.type) {
      case 'run-started':
        this.#first = event;
        this.#evaluation = event.evaluation ?? {};
        this.#planned = this.#evaluation.taskRuns;
        break;
      case 'run-resumed':
        this.#resumed += 1;
        this.#end = notEnded;
        this.#resumedAt = event.seq;
        // With --force the plan may be another one. Undefined where it cannot be read.
        this.#planned = sum(this.#done, event.missing);
        this.#renew(event);
        break;
      case 'server-checked':
        this.#servers.set(serverKey(event.server, event.mcpConfigFile), event);
        break;
      case 'warning':
        if (event.taskRun === undefined) this.#warnings.add(event);
        break;
      case 'task-run-started':
        // That the run went on is known even if the event that says so was lost.
        this.#end = notEnded;
        this.#open.set(event.taskRun, event);
        break;
      case 'assertion-checked': {
        const checked = this.#open.get(event.taskRun);
        if (checked && !event.passed) checked.brokenAssertion = event.name;
        break;
      }
      case 'phase-ended': {
        const { phase } = event;
        const running = this.#open.get(event.taskRun);
        if (running && (phase === 'agent' || phase === 'verify')) running[phase] = event;
        break;
      }
      case 'task-run-ended': {
        const { taskRun } = event;
        const started = this.#open.get(taskRun);
        if (!started || formatTaskRunKey(started) !== formatTaskRunKey(event)) {
          const place = `seq ${event.seq}`;
          const expected = 'the end of a task run whose start can be read';
          this.leftOut.add({
            place,
            expected,
            found: `${formatTaskName(event)}, run ${event.run}`,
          });
          break;
        }
        this.#open.delete(taskRun);
        const summary = { ...summaryOf(started, event), outcome: countedOutcome(started, event) };
        this.#attempts.set(formatTaskRunKey(event), { seq: started.seq, summary });
        break;
      }
      case 'runs-decided':
        this.#planned = sum(this.#planned, event.more);
        this.#runs.set(formatTaskName(event), event.runs);
        break;
      case 'run-ended':
        this.#end = {
          finished: true,
          interrupted: event.interrupted === true,
          bailed: event.bailed === true,
          budget: event.budget ?? null,
        };
        break;
    }
  }

  /** Task runs with a verdict that lasts: one that was cancelled is done again. */
  get #done(): number {
    const attempts = [...this.#attempts.values()];
    return attempts.filter(({ summary }) => summary.outcome !== 'cancelled').length;
  }

  /** Those of an earlier process are not: what is left of them is ended by the one that resumes. */
  get #underWay(): Pick<JournalSurvey, 'open' | 'openedBy'> {
    const isOpen = ({ seq }: { seq: number }) => !this.#end.finished && seq > this.#resumedAt;
    const open = [...this.#open.values()].filter(isOpen);
    return {
      open: open.map(({ task, run, variant }) => ({
        task,
        run,
        ...(variant !== undefined && { variant }),
      })),
      openedBy: new Set(open.map(({ seq }) => seq)),
    };
  }

  /** What is forced counts as a whole: variants may have taken the place of an agent. */
  #renew({ options, agent, variants, judge }: RunResumed): void {
    if (!options) return;
    const { agent: _, variants: __, judge: ___, ...others } = this.#evaluation;
    this.#evaluation = {
      ...others,
      options,
      ...(agent && { agent }),
      ...(variants && { variants }),
      ...(judge && { judge }),
    };
    // What was decided then holds no longer.
    if (options.runs !== 'auto') this.#runs.clear();
  }

  survey(): JournalSurvey {
    const started = this.#first;
    const attempts = [...this.#attempts.values()];
    const { open, openedBy } = this.#underWay;
    if (!started && attempts.length + open.length === 0) {
      throw new NotAnEvaluation(this.#path, this.#hasTraffic ? 'recording' : 'no-task-runs');
    }
    return {
      id: this.#evaluation.id ?? this.#id,
      started,
      evaluation: this.#evaluation,
      planned: this.#planned ?? attempts.length + open.length,
      startedAt: started?.at,
      durationMs: this.#clock.durationMs,
      ...this.#end,
      // Nobody knows what else there was to do.
      ...(this.#planned === undefined && { finished: false }),
      resumed: this.#resumed,
      servers: this.#servers,
      open,
      openedBy,
      warnings: this.#warnings,
      runs: this.#runs,
      counted: new Map(attempts.map(({ seq, summary }) => [seq, summary])),
      leftOut: this.leftOut,
    };
  }
}

/** The same for every copy of a journal, and while it grows. */
function idOf(first: JournalEvent): string {
  const { seq, at, type } = first;
  const digest = createHash('sha256')
    .update(JSON.stringify([seq, at, type]))
    .digest('hex');
  return `unknown-${digest.slice(0, 16)}`;
}

/** A pass that its own record contradicts is none: what results say of it, totals say too. */
function countedOutcome(open: OpenTaskRun, ended: TaskRunEnded): Outcome {
  const { brokenAssertion, agent = null, verify = null } = open;
  const assertions =
    brokenAssertion === undefined ? [] : [{ name: brokenAssertion, passed: false }];
  const record = { ...ended, assertions, phases: { agent, verify } };
  return contradictionOf(record) === undefined ? ended.outcome : 'error';
}

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}
