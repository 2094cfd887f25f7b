import { dirname, relative } from 'node:path';
import { getOwnIdentity } from '../../base/processes/process-identity.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import type { EventBody } from '../../journal/event.js';
import {
  journalSchema,
  type RunRecord,
  type RunStarted,
  type SpentBudget,
} from '../../journal/run-events.js';
import type { Plan } from '../../plan/plan.js';
import { proctorVersion } from '../../proctor-version.js';
import type { PreviousRun } from '../resume/previous-run.js';
import type { Work } from '../schedule/scheduler.js';
import type { Bail, Budget } from '../schedule/stop-conditions.js';
import { type EventListener, EventStream } from './event-stream.js';
import { type JournalError, JournalWriter } from './journal-writer.js';
import { KeptOutputs } from './kept-outputs.js';

/** What a runner reports about the end of a run: what stopped it early. With none of these, all of it is done. */
export interface StopCauses {
  interrupted: boolean;
  bailed: boolean;
  /** The budget that left some task runs out. */
  budget?: SpentBudget;
  /** The journal or working directories could not be written any more: everything was stopped. */
  failure?: Error;
}

/** A run whose journal is to be kept: what every runner needs for that. */
export interface RunToRecord {
  plan: Plan;
  /** Task runs of the plan that are to run. */
  work: Work;
  /** Absolute path of the eval file. */
  evalPath: string;
  record: Pick<RunRecord, 'id' | 'files' | 'options'>;
  journalPath: string;
  redactor: Redactor;
  /** `--bail` and budget are those of the whole check: evals before this one count. */
  bail: Bail;
  budget: Budget;
  /** What the journal holds already, with --resume. */
  previous?: PreviousRun;
  /** Files that changed since, with --force. */
  changed?: readonly string[];
  /** The files and options of this run count from now on, whatever they were. */
  isForced?: boolean;
  onEvent: EventListener;
  /** Removes what earlier runs left. Called before the first task run begins, and not if none begins. */
  replaceEarlier(): Promise<void>;
}

/** What is only known when everything that takes part is there. */
interface RunStart extends Pick<RunRecord, 'agent' | 'variants' | 'judge'> {
  mcpServers: RunStarted['mcpServers'];
  /** What the servers offer. */
  offers: readonly EventBody[];
  workspace?: string;
  /** The id of the run in a queue. */
  queue?: string;
}

/**
 * Keeps the journal of one run, wherever its task runs are done. Every event counts against budget and
 * `--bail`, and goes to the listener.
 */
export class RunRecorder {
  readonly events: EventStream;
  readonly #run: RunToRecord;
  readonly #journal: JournalWriter;
  readonly #started = performance.now();

  /** Makes a new journal, whose file is written from `begin` on, or opens one that goes on. Throws JournalError. */
  static async open(
    run: RunToRecord,
    onFailure: (failure: JournalError) => void,
  ): Promise<RunRecorder> {
    const { journalPath, redactor, previous } = run;
    if (previous) {
      const { lastSeq, length } = previous;
      const options = { redactor, onFailure, lastSeq, length };
      return new RunRecorder(run, await JournalWriter.append(journalPath, options));
    }
    return new RunRecorder(run, new JournalWriter(journalPath, undefined, { redactor, onFailure }));
  }

  private constructor(run: RunToRecord, journal: JournalWriter) {
    this.#run = run;
    this.#journal = journal;
    const { budget, bail, onEvent } = run;
    this.events = new EventStream(journal, (event) => {
      budget.see(event);
      bail.see(event);
      onEvent(event);
    });
    budget.start();
  }

  /**
   * Replaces what earlier runs left by the journal of this one. Events are only collected in memory before: a run that
   * is interrupted before its first task run leaves the earlier files as they are. Throws UsageError and JournalError.
   */
  async begin(): Promise<void> {
    const { journalPath, previous, replaceEarlier } = this.#run;
    await replaceEarlier();
    if (!previous) await KeptOutputs.clear(journalPath);
    await this.#journal.begin();
    await this.events.flush();
  }

  /** Writes what a journal says before the first task run, or where it goes on. */
  writeStart(start: RunStart): void {
    const { plan, work, evalPath, previous, changed, isForced } = this.#run;
    const { mcpServers, offers, workspace, queue, ...participants } = start;
    const record = { ...this.#run.record, ...participants };
    const place = { process: getOwnIdentity(), workspace, queue };
    if (previous) {
      // A resumed run keeps its id.
      const { id: _, ...renewed } = record;
      this.events.write({
        type: 'run-resumed',
        proctor: proctorVersion,
        ...place,
        missing: work.remaining,
        changed: changed && changed.length > 0 ? [...changed] : undefined,
        ...(isForced && renewed),
      });
    } else {
      this.events.write({
        type: 'run-started',
        schema: journalSchema,
        proctor: proctorVersion,
        command: 'check',
        mcpServers,
        evaluation: {
          ...record,
          eval: { name: plan.name, file: relative(dirname(evalPath), evalPath) },
          environment: {
            node: process.version,
            platform: process.platform,
            arch: process.arch,
          },
          taskRuns: work.remaining,
          ...place,
        },
      });
    }
    for (const event of offers) this.events.write(event);
    for (const decision of work.decided) this.events.write(decision);
  }

  /** Writes the last event of a journal, and closes it. What cannot be written was reported as a failure. */
  async end(ending: StopCauses): Promise<void> {
    this.#writeEnd(ending);
    await this.close().catch(() => {});
  }

  #writeEnd(ending: StopCauses): void {
    this.events.write({
      type: 'run-ended',
      durationMs: Math.round(performance.now() - this.#started),
      calls: this.events.calls,
      interrupted: ending.interrupted || undefined,
      bailed: ending.bailed || undefined,
      budget: ending.budget,
    });
  }

  /** Rejects with the JournalError if something could not be written. */
  close(): Promise<void> {
    return this.#journal.close();
  }
}
