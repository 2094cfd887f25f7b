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
  /** It ended before its first task run, and wrote nothing: the files of earlier runs are as they were. */
  hasNoJournal?: true;
}

/** A run whose journal is to be kept: what every runner needs for that. */
export interface RunToRecord {
  plan: Plan;
  /** Task runs of the plan that are to run. */
  work: Work;
  /** Absolute path of the eval file. */
  evalPath: string;
  /** How the run is set up, as far as that is known before preflight. */
  record: Pick<RunRecord, 'id' | 'files' | 'options'>;
  journalPath: string;
  redactor: Redactor;
  /** `--bail` and budget are those of the whole check: evals before this one count. */
  bail: Bail;
  budget: Budget;
  /** What the journal holds already, with --resume. */
  previous?: PreviousRun;
  /** With --resume --force: files of the suite that have changed since. */
  changedFiles?: readonly string[];
  /** With --resume --force: the files, options and agents of this check replace those that the journal records. */
  isForced?: boolean;
  onEvent: EventListener;
  /** Whether earlier runs left something that `replaceEarlier` would remove. */
  hasEarlier(): boolean;
  /**
   * Removes what earlier runs left, or moves it aside. Called before the first task run begins; if none begins, only to
   * write a journal that says so.
   */
  replaceEarlier(): Promise<void>;
}

/** What the start of a journal records that is only known after preflight. */
interface RunStart extends Pick<RunRecord, 'agent' | 'variants' | 'judge'> {
  mcpServers: RunStarted['mcpServers'];
  /** What the servers offer. */
  offers: readonly EventBody[];
  workspace?: string;
  /** The id of the run in a queue. */
  queue?: string;
}

/**
 * Writes the journal of one run, wherever its task runs are executed. Every event counts against budget and
 * `--bail`, and goes to the listener.
 */
export class RunRecorder {
  readonly events: EventStream;
  readonly #run: RunToRecord;
  readonly #journal: JournalWriter;
  readonly #started = performance.now();

  /** Makes a new journal, whose file is written from `begin` on, or opens that of the run which is resumed. Throws JournalError. */
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
   * Replaces what earlier runs left by the journal of this one. Until it is called, the events of a new run stay in
   * memory, so that a run which ends before its first task run can leave the earlier files as they are; the journal of a
   * resumed run is written from `open` on. Throws UsageError and JournalError.
   */
  async begin(): Promise<void> {
    const { journalPath, previous, replaceEarlier } = this.#run;
    await replaceEarlier();
    if (!previous) await KeptOutputs.clear(journalPath);
    await this.#journal.begin();
    await this.events.flush();
  }

  /** Writes the first events of a journal, or those of a resume. */
  writeStart(start: RunStart): void {
    const { plan, work, evalPath, previous, changedFiles = [], isForced } = this.#run;
    const { mcpServers, offers, workspace, queue, ...participants } = start;
    const record = { ...this.#run.record, ...participants };
    const whereabouts = { process: getOwnIdentity(), workspace, queue };
    if (previous) {
      // A resumed run keeps its id.
      const { id: _, ...renewed } = record;
      this.events.write({
        type: 'run-resumed',
        proctor: proctorVersion,
        ...whereabouts,
        missing: work.remaining,
        changed: changedFiles.length > 0 ? [...changedFiles] : undefined,
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
          ...whereabouts,
        },
      });
    }
    for (const event of offers) this.events.write(event);
    for (const decision of work.decided) this.events.write(decision);
  }

  /** Writes the last event of a journal, and closes it. Never rejects: `open` was given a callback for failures. */
  async end(causes: StopCauses): Promise<void> {
    this.#writeEnd(causes);
    await this.close().catch(() => {});
  }

  #writeEnd(causes: StopCauses): void {
    this.events.write({
      type: 'run-ended',
      durationMs: Math.round(performance.now() - this.#started),
      calls: this.events.calls,
      interrupted: causes.interrupted || undefined,
      bailed: causes.bailed || undefined,
      budget: causes.budget,
    });
  }

  /** Rejects with the JournalError if something could not be written. */
  close(): Promise<void> {
    return this.#journal.close();
  }
}
