import { createHash } from 'node:crypto';
import type { JournalEvent } from '../../journal/event.js';
import { type OnLeftOut, readJournal } from '../../journal/journal-reader.js';
import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import type {
  RunRecord,
  RunStarted,
  ServerChecked,
  SpentBudget,
} from '../../journal/run-events.js';
import { RunState } from '../../journal/run-state.js';
import {
  formatTaskName,
  formatTaskRunKey,
  type Outcome,
  type PhaseEnded,
  type TaskRunEnded,
  type TaskRunRef,
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
  record: Partial<RunRecord>;
  /** Number of planned task runs; every --resume counts anew what is done and what is missing. */
  planned: number;
  startedAt: string | undefined;
  durationMs: number;
  /** The journal has the end of the run, for whatever reason it ended: an interrupted run is finished, too. */
  finished: boolean;
  interrupted: boolean;
  bailed: boolean;
  /** The budget that was reached, so that task runs were left out. */
  budget: SpentBudget | null;
  resumed: number;
  /** Checked servers, by `makeServerKey`. */
  servers: ReadonlyMap<string, ServerChecked>;
  /** Task runs that have started and have no verdict; empty if the run has ended. */
  open: TaskRunRef[];
  /** The `seq` of the events that started the open task runs. */
  openedBy: ReadonlySet<number>;
  /** Warnings that belong to no task run. */
  warnings: WarningList;
  /** With `--runs auto`: the decided number of runs of each task, by `formatTaskName`. */
  runs: ReadonlyMap<string, number>;
  /** The attempts that count, one for each task run, by the `seq` of the event that started it. */
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

/** What of an open task run may contradict its verdict. */
interface Findings {
  brokenAssertion?: string;
  agent?: PhaseEnded;
  verify?: PhaseEnded;
}

class JournalSurveyor {
  readonly leftOut = new LeftOutList();
  readonly #path: string;
  readonly #state = new RunState();
  readonly #servers = new Map<string, ServerChecked>();
  readonly #warnings = new WarningList();
  /** Findings of open task runs, by their names in events. */
  readonly #findings = new Map<string, Findings>();
  /** Of each task run, the attempt that began last among those that have ended. */
  readonly #attempts = new Map<string, { seq: number; summary: TaskRunSummary }>();
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
    const started = this.#state.apply(event);
    switch (event.type) {
      case 'server-checked':
        this.#servers.set(makeServerKey(event.server, event.mcpConfigFile), event);
        break;
      case 'warning':
        if (event.taskRun === undefined) this.#warnings.add(event);
        break;
      case 'task-run-started':
        this.#findings.set(event.taskRun, {});
        break;
      case 'assertion-checked': {
        const findings = this.#findings.get(event.taskRun);
        if (findings && !event.passed) findings.brokenAssertion = event.name;
        break;
      }
      case 'phase-ended': {
        const { phase } = event;
        const findings = this.#findings.get(event.taskRun);
        if (findings && (phase === 'agent' || phase === 'verify')) findings[phase] = event;
        break;
      }
      case 'task-run-ended':
        if (started) this.#countAttempt(started, event);
        else {
          this.leftOut.add({
            place: `seq ${event.seq}`,
            expected: 'the end of a task run whose start can be read',
            found: `${formatTaskName(event)}, run ${event.run}`,
          });
        }
        break;
    }
  }

  #countAttempt(started: TaskRunStarted & { seq: number }, ended: TaskRunEnded): void {
    const outcome = decideCountedOutcome(this.#findings.get(ended.taskRun), ended);
    this.#findings.delete(ended.taskRun);
    const key = formatTaskRunKey(ended);
    const { seq = 0 } = this.#attempts.get(key) ?? {};
    if (seq > started.seq) return;
    const summary = { ...summarizeTaskRun(started, ended), outcome };
    this.#attempts.set(key, { seq: started.seq, summary });
  }

  survey(): JournalSurvey {
    const { started, record = {}, planned, runEnd, resumed, decidedRuns } = this.#state;
    const attempts = [...this.#attempts.values()];
    const open = [...this.#state.open.values()].filter(({ taskRun }) =>
      this.#state.isRunning(taskRun),
    );
    if (!started && attempts.length + open.length === 0) {
      throw new NotARunError(this.#path, this.#hasTraffic ? 'recording' : 'no-task-runs');
    }
    return {
      id: record.id ?? this.#id,
      started,
      record,
      planned: planned ?? attempts.length + open.length,
      startedAt: started?.at,
      durationMs: this.#state.durationMs,
      // Without the plan it is not known whether all of it was done.
      finished: runEnd !== undefined && planned !== undefined,
      interrupted: runEnd?.interrupted === true,
      bailed: runEnd?.bailed === true,
      budget: runEnd?.budget ?? null,
      resumed,
      servers: this.#servers,
      open: open.map(({ task, run, variant }) => ({ task, run, variant })),
      openedBy: new Set(open.map(({ seq }) => seq)),
      warnings: this.#warnings,
      runs: decidedRuns,
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
function decideCountedOutcome(findings: Findings = {}, ended: TaskRunEnded): Outcome {
  const { brokenAssertion, agent = null, verify = null } = findings;
  const assertions =
    brokenAssertion === undefined ? [] : [{ name: brokenAssertion, passed: false }];
  const record = { ...ended, assertions, phases: { agent, verify } };
  return findContradiction(record) === undefined ? ended.outcome : 'error';
}
