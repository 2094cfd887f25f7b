import { dirname, relative } from 'node:path';
import { ownIdentity } from '../../base/processes/process-identity.js';
import type { Redactor } from '../../config/redactor.js';
import type { SpentBudget } from '../../events/budget.js';
import type { EventBody, EventSink } from '../../events/event.js';
import { type Evaluation, journalSchema, type RunStarted } from '../../events/run-events.js';
import type { Plan } from '../../plan/plan.js';
import { proctorVersion } from '../../proctor-version.js';
import type { PreviousRun } from '../resume/previous-run.js';
import type { Work } from '../schedule/scheduler.js';
import type { EventStream } from './event-stream.js';
import { type JournalError, JournalWriter } from './journal-writer.js';
import { KeptOutputs } from './kept-outputs.js';

interface Beginning {
  plan: Plan;
  work: Work;
  /** Absolute path of the eval file. */
  evalPath: string;
  record: Pick<Evaluation, 'id' | 'files' | 'options' | 'agent' | 'variants' | 'judge'>;
  mcpServers: RunStarted['mcpServers'];
  /** What the servers offer. */
  offers: readonly EventBody[];
  workspace?: string;
  /** Its id in a queue. */
  queue?: string;
  /** What the journal holds already. */
  previous?: PreviousRun;
  /** Files that changed since, with --force. */
  changed?: readonly string[];
  /** The files and options of this run count from now on, whatever they were. */
  isForced?: boolean;
}

/** Writes what a journal says before the first task run, or where it goes on. */
export function writeBeginning(events: Pick<EventSink, 'write'>, beginning: Beginning): void {
  const { plan, work, evalPath, record, mcpServers, offers, workspace, queue } = beginning;
  const { previous, changed, isForced } = beginning;
  const place = {
    process: ownIdentity(),
    ...(workspace !== undefined && { workspace }),
    ...(queue !== undefined && { queue }),
  };
  if (previous) {
    events.write({
      type: 'run-resumed',
      proctor: proctorVersion,
      ...place,
      missing: work.left,
      ...(changed && changed.length > 0 && { changed: [...changed] }),
      ...(isForced && withoutId(record)),
    });
  } else {
    events.write({
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
        taskRuns: work.left,
        ...place,
      },
    });
  }
  for (const event of offers) events.write(event);
  for (const decision of work.decided) events.write(decision);
}

/** A resumed evaluation keeps its own. */
function withoutId({ id: _, ...record }: Beginning['record']) {
  return record;
}

/** Writes the last that a journal says. `started` is when, by a clock that only goes forward. */
export function writeEnding(events: EventStream, started: number, end: EvaluationEnd): void {
  events.write({
    type: 'run-ended',
    durationMs: Math.round(performance.now() - started),
    calls: events.calls,
    ...(end.interrupted && { interrupted: true as const }),
    ...(end.bailed && { bailed: true as const }),
    ...(end.budget && { budget: end.budget }),
  });
}

export interface EvaluationEnd {
  interrupted: boolean;
  bailed: boolean;
  /** The budget that left some task runs out. */
  budget?: SpentBudget;
  /** The journal or working directories could not be written any more: everything was stopped. */
  failure?: Error;
}

interface OpenJournalOptions {
  journalPath: string;
  redactor: Redactor;
  /** What it holds already, if it goes on. */
  previous?: PreviousRun;
  onFailure(failure: JournalError): void;
}

/** A new journal, or one that goes on. Throws JournalError. */
export async function openJournal(options: OpenJournalOptions): Promise<JournalWriter> {
  const { journalPath, redactor, previous, onFailure } = options;
  if (!previous) {
    await KeptOutputs.clear(journalPath);
    return JournalWriter.create(journalPath, { redactor, onFailure, overwrite: true });
  }
  const { lastSeq, length } = previous;
  return JournalWriter.append(journalPath, { redactor, onFailure, lastSeq, length });
}
