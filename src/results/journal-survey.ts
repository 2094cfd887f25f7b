import type { SpentBudget } from '../events/budget.js';
import type { JournalEvent } from '../events/event.js';
import { DamagedJournal } from '../events/journal-errors.js';
import { readJournal } from '../events/journal-reader.js';
import { RunClock } from '../events/run-clock.js';
import type { Evaluation, RunResumed, RunStarted, ServerChecked } from '../events/run-events.js';
import type { TaskRunStarted } from '../events/task-run-events.js';
import { type TaskRunNumber, taskInWords, taskRunKey } from '../events/task-run-key.js';
import { eventFault } from './journal-shapes.js';
import { NotAnEvaluation } from './results-errors.js';
import { summaryOf, type TaskRunSummary } from './totals.js';
import { WarningList } from './warning-list.js';

/** What has to be known of a whole journal before its task runs can be told one by one. */
export interface JournalSurvey {
  started: RunStarted;
  evaluation: Evaluation;
  /** Task runs that were to happen: what was done by then and the rest, with every --resume anew. */
  planned: number;
  startedAt: string;
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
}

/** Servers of several MCP configs may have one name. */
export function serverKey(server: string, mcpConfigFile: string | undefined): string {
  return JSON.stringify([server, mcpConfigFile ?? null]);
}

/** Reads a journal once. Throws NotAnEvaluation, and what readJournal throws. */
export async function surveyJournal(path: string): Promise<JournalSurvey> {
  const surveyor = new Surveyor(path);
  for await (const event of readJournal(path)) surveyor.add(event);
  return surveyor.survey();
}

type End = Pick<JournalSurvey, 'finished' | 'interrupted' | 'bailed' | 'budget'>;

const notEnded: End = { finished: false, interrupted: false, bailed: false, budget: null };

class Surveyor {
  readonly #path: string;
  readonly #clock = new RunClock();
  readonly #servers = new Map<string, ServerChecked>();
  readonly #warnings = new WarningList();
  readonly #open = new Map<string, TaskRunStarted & { seq: number }>();
  /** By task and run: the latest attempt that ended. */
  readonly #attempts = new Map<string, { seq: number; summary: TaskRunSummary }>();
  readonly #runs = new Map<string, number>();
  #first: (RunStarted & { at: string }) | undefined;
  #end: End = notEnded;
  #resumed = 0;
  /** Seq of the event. */
  #resumedAt = 0;
  #planned = 0;
  /** As a forced --resume has left it. */
  #evaluation: Evaluation | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  add(event: JournalEvent): void {
    // Told at once: such a journal can be long.
    if (event.type === 'run-started' && !event.evaluation) throw new NotAnEvaluation(this.#path);
    const fault = eventFault(event);
    if (fault !== undefined) throw new DamagedJournal(this.#path, event.seq, fault);
    this.#clock.add(event);
    switch (event.type) {
      case 'run-started':
        this.#first = event;
        this.#evaluation = event.evaluation;
        this.#planned = event.evaluation?.taskRuns ?? 0;
        break;
      case 'run-resumed':
        this.#resumed += 1;
        this.#end = notEnded;
        this.#resumedAt = event.seq;
        // With --force the plan may be another one.
        this.#planned = this.#done + event.missing;
        this.#renew(event);
        break;
      case 'server-checked':
        this.#servers.set(serverKey(event.server, event.mcpConfigFile), event);
        break;
      case 'warning':
        if (event.taskRun === undefined) this.#warnings.add(event);
        break;
      case 'task-run-started':
        this.#open.set(event.taskRun, event);
        break;
      case 'task-run-ended': {
        const { taskRun } = event;
        const started = this.#open.get(taskRun);
        if (!started || taskRunKey(started) !== taskRunKey(event)) {
          throw new DamagedJournal(this.#path, event.seq, 'a task run ended that never started');
        }
        this.#open.delete(taskRun);
        const summary = summaryOf(started, event);
        this.#attempts.set(taskRunKey(event), { seq: started.seq, summary });
        break;
      }
      case 'runs-decided':
        this.#planned += event.more;
        this.#runs.set(taskInWords(event), event.runs);
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
    if (!options || !this.#evaluation) return;
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
    const evaluation = this.#evaluation;
    if (!started || !evaluation) throw new NotAnEvaluation(this.#path);
    const attempts = [...this.#attempts.values()];
    return {
      started,
      evaluation,
      planned: this.#planned,
      startedAt: started.at,
      durationMs: this.#clock.durationMs,
      ...this.#end,
      resumed: this.#resumed,
      servers: this.#servers,
      ...this.#underWay,
      warnings: this.#warnings,
      runs: this.#runs,
      counted: new Map(attempts.map(({ seq, summary }) => [seq, summary])),
    };
  }
}
