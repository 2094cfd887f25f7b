import { createHash } from 'node:crypto';
import type { JournalEvent } from '../../journal/event.js';
import { RunClock } from '../../journal/folds.js';
import { type OnLeftOut, readJournal } from '../../journal/journal-reader.js';
import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import type {
  Evaluation,
  RunResumed,
  RunStarted,
  ServerChecked,
  SpentBudget,
} from '../../journal/run-events.js';
import {
  formatTaskName,
  formatTaskRunKey,
  type Outcome,
  type PhaseEnded,
  type TaskRunEnded,
  type TaskRunNumber,
  type TaskRunStarted,
} from '../../journal/task-run-events.js';
import { NotARunError } from '../results-errors.js';
import { findContradiction } from '../task-run-record.js';
import { summarizeTaskRun, type TaskRunSummary } from '../write/totals.js';
import { WarningList } from './task-run-fold.js';

/** What has to be known of a whole journal before its task runs can be read one by one. */
export interface JournalSurvey {
  /** Id of the run; made up if the first line was lost. */
  id: string;
  /** The first event; undefined if its line was lost. */
  started: RunStarted | undefined;
  /** The description of the run, as far as it can be read. */
  evaluation: Partial<Evaluation>;
  /** Number of planned task runs; every --resume counts anew what is done and what is missing. */
  planned: number;
  startedAt: string | undefined;
  durationMs: number;
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The budget that was reached, so that task runs were left out. */
  budget: SpentBudget | null;
  resumed: number;
  /** Checked servers, by `makeServerKey`. */
  servers: ReadonlyMap<string, ServerChecked>;
  /** Task runs that have started and have no verdict; empty if the run has ended. */
  open: TaskRunNumber[];
  /** The `seq` of the events that started the open task runs. */
  openedBy: ReadonlySet<number>;
  /** Warnings that belong to no task run. */
  warnings: WarningList;
  /** With `--runs auto`: the decided number of runs of each task, by `formatTaskName`. */
  runs: ReadonlyMap<string, number>;
  /** The attempts that count, one for each task and run, by the `seq` of the event that started it. */
  counted: ReadonlyMap<number, TaskRunSummary>;
  /** Malformed lines, and malformed members of events. */
  leftOut: LeftOutParts;
}

/** Key of a server: servers of different MCP configs may share a name. */
export function makeServerKey(server: string, mcpConfigFile: string | undefined): string {
  return JSON.stringify([server, mcpConfigFile ?? null]);
}

/** Whether a journal is a recording of `proctor proxy`. */
export function isProxyRecording({ evaluation, command }: RunStarted): boolean {
  return !evaluation && command !== 'check';
}

/** Reads a journal once. Throws NotARunError, and what readJournal throws. */
export async function surveyJournal(path: string): Promise<JournalSurvey> {
  const surveyor = new JournalSurveyor(path);
  const onLeftOut: OnLeftOut = (part) => surveyor.leftOut.add(part);
  for await (const event of readJournal(path, onLeftOut)) surveyor.add(event);
  return surveyor.survey();
}

type RunEndState = Pick<JournalSurvey, 'finished' | 'interrupted' | 'bailed' | 'budget'>;

const notEnded: RunEndState = { finished: false, interrupted: false, bailed: false, budget: null };

type OpenTaskRun = TaskRunStarted & {
  seq: number;
  brokenAssertion?: string;
  agent?: PhaseEnded;
  verify?: PhaseEnded;
};

class JournalSurveyor {
  readonly leftOut = new LeftOutList();
  readonly #path: string;
  readonly #clock = new RunClock();
  readonly #servers = new Map<string, ServerChecked>();
  readonly #warnings = new WarningList();
  readonly #open = new Map<string, OpenTaskRun>();
  /** The latest attempt that ended, by task and run. */
  readonly #attempts = new Map<string, { seq: number; summary: TaskRunSummary }>();
  readonly #runs = new Map<string, number>();
  #first: (RunStarted & { at: string }) | undefined;
  #end: RunEndState = notEnded;
  #resumed = 0;
  /** `seq` of the latest event that resumed the run. */
  #resumedAt = 0;
  /** Undefined if the journal does not say. */
  #planned: number | undefined;
  /** The description of the run; a forced --resume replaces parts of it. */
  #evaluation: Partial<Evaluation> = {};
  #id = '';
  #hasTraffic = false;

  constructor(path: string) {
    this.#path = path;
  }

  add(event: JournalEvent): void {
    // Thrown at once: such a journal can be long.
    if (event.type === 'run-started' && isProxyRecording(event)) {
      throw new NotARunError(this.#path, 'recording');
    }
    // The first line may be lost.
    if ((event.type === 'mcp-message' || event.type === 'mcp-call') && !event.taskRun) {
      this.#hasTraffic = true;
    }
    if (this.#id === '') this.#id = makeUpId(event);
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
        this.#planned = addIfKnown(this.#done, event.missing);
        this.#renew(event);
        break;
      case 'server-checked':
        this.#servers.set(makeServerKey(event.server, event.mcpConfigFile), event);
        break;
      case 'warning':
        if (event.taskRun === undefined) this.#warnings.add(event);
        break;
      case 'task-run-started':
        // The run has gone on, even if the event that says so was lost.
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
        const summary = {
          ...summarizeTaskRun(started, event),
          outcome: decideCountedOutcome(started, event),
        };
        this.#attempts.set(formatTaskRunKey(event), { seq: started.seq, summary });
        break;
      }
      case 'runs-decided':
        this.#planned = addIfKnown(this.#planned, event.more);
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

  /** Number of task runs with a final verdict: one that was cancelled is done again. */
  get #done(): number {
    const attempts = [...this.#attempts.values()];
    return attempts.filter(({ summary }) => summary.outcome !== 'cancelled').length;
  }

  /** Open task runs of the current process: those of an earlier one are ended by the process that resumes. */
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

  /** Replaces the description after a forced --resume; as a whole, as variants may have replaced an agent. */
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
    // Numbers of runs that were decided before are obsolete.
    if (options.runs !== 'auto') this.#runs.clear();
  }

  survey(): JournalSurvey {
    const started = this.#first;
    const attempts = [...this.#attempts.values()];
    const { open, openedBy } = this.#underWay;
    if (!started && attempts.length + open.length === 0) {
      throw new NotARunError(this.#path, this.#hasTraffic ? 'recording' : 'no-task-runs');
    }
    return {
      id: this.#evaluation.id ?? this.#id,
      started,
      evaluation: this.#evaluation,
      planned: this.#planned ?? attempts.length + open.length,
      startedAt: started?.at,
      durationMs: this.#clock.durationMs,
      ...this.#end,
      // It is not known what else was planned.
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

/** An id for a journal without one: the same for every copy of it, and while it grows. */
function makeUpId(first: JournalEvent): string {
  const { seq, at, type } = first;
  const digest = createHash('sha256')
    .update(JSON.stringify([seq, at, type]))
    .digest('hex');
  return `unknown-${digest.slice(0, 16)}`;
}

/** The outcome for the totals: a pass that its own record contradicts counts as an error, as in results. */
function decideCountedOutcome(open: OpenTaskRun, ended: TaskRunEnded): Outcome {
  const { brokenAssertion, agent = null, verify = null } = open;
  const assertions =
    brokenAssertion === undefined ? [] : [{ name: brokenAssertion, passed: false }];
  const record = { ...ended, assertions, phases: { agent, verify } };
  return findContradiction(record) === undefined ? ended.outcome : 'error';
}

function addIfKnown(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? undefined : left + right;
}
