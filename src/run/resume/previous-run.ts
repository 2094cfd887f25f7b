import { open } from 'node:fs/promises';
import type { JournalEvent } from '../../journal/event.js';
import { type OnLeftOut, readPlacedJournal } from '../../journal/journal-reader.js';
import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import type { RunRecord } from '../../journal/run-events.js';
import { RunState } from '../../journal/run-state.js';
import type { Outcome, TaskRunStarted } from '../../journal/task-run-events.js';
import type { SpentBefore } from '../schedule/stop-conditions.js';
import { type CallCounts, countCall, createCallCounts } from '../task-run/evidence.js';

/** What the journal of an earlier run says that `--resume` needs. */
export interface PreviousRun {
  /** How it was set up. */
  record: RunRecord;
  /** Task runs that were to happen, as far as was known in the end. */
  planned: number;
  lastSeq: number;
  /**
   * Bytes of the journal up to the end of its last event. What stands after it (a torn or unusable line) is cut
   * off when the run is resumed.
   */
  length: number;
  /** Lines, and members of events, that could not be read. */
  leftOut: LeftOutParts;
  /**
   * It came to an end of its own, neither killed nor interrupted nor out of budget, and no end of a task run can be
   * missing from the journal. `--bail` may have left task runs out all the same.
   */
  isFinished: boolean;
  /** Key of a task run -> number of its latest attempt. */
  lastAttempts: ReadonlyMap<string, number>;
  /**
   * Key of a task run -> its outcome, never `cancelled`. A task run that is missing here was cancelled, did not end or
   * did not begin, and is to run.
   */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Attempts that had begun and not ended, each with the `seq`s of its events. A task run can have several. */
  cutOff: (CutOffAttempt & { seqs: readonly number[] })[];
  /** Names of the attempts that have ended, cancelled ones among them. */
  endedAttempts: ReadonlySet<string>;
  /** Its id in a queue, if workers have it. */
  queue: string | undefined;
  /** Folders of every process that wrote to the journal. */
  workspaces: string[];
  /** Working directories that `--keep-workdir` kept. */
  kept: string[];
  /** What all attempts took that have ended. */
  spent: SpentBefore;
}

/**
 * Reads from a journal what is done and what is left to do. In a damaged journal a task run counts as done only if
 * both its start and its end can be read; all others run again. Throws what readJournal throws; undefined for a
 * journal that no check wrote, or whose first line cannot be read, so that it is not known what was run.
 */
export async function readPreviousRun(path: string): Promise<PreviousRun | undefined> {
  const fold = new PreviousRunFold();
  const leftOut = new LeftOutList();
  let length = 0;
  const onLeftOut: OnLeftOut = (part, losesEvent) => {
    leftOut.add(part);
    if (losesEvent) fold.loseEvent();
  };
  for await (const { event, place } of readPlacedJournal(path, onLeftOut)) {
    fold.add(event);
    length = place.start + place.length + 1;
  }
  return fold.result({ length, leftOut });
}

class PreviousRunFold {
  lastSeq = 0;
  readonly #state = new RunState();
  #hasLostEvents = false;
  /** Records of the attempts that have begun and not ended. */
  readonly #openRecords = new Map<string, CutOffAttempt & { seqs: number[] }>();
  readonly #endedAttempts = new Set<string>();
  readonly #workspaces: string[] = [];
  readonly #kept: string[] = [];

  /** Notes that an event is lost, which may have been the end of a task run. */
  loseEvent(): void {
    this.#hasLostEvents = true;
  }

  add(event: JournalEvent): void {
    this.lastSeq = event.seq;
    this.#state.apply(event);
    switch (event.type) {
      case 'run-started':
        this.#workspaces.push(...toList(event.evaluation?.workspace));
        break;
      case 'run-resumed':
        this.#workspaces.push(...toList(event.workspace));
        break;
      case 'task-run-started':
        this.#openRecords.set(event.taskRun, { ...beginCutOffRecord(event), seqs: [] });
        break;
      case 'task-run-ended':
        this.#endedAttempts.add(event.taskRun);
        // If it names another task run than the start of the attempt does, the attempt stays open.
        if (!this.#state.open.has(event.taskRun)) this.#openRecords.delete(event.taskRun);
        this.#kept.push(...toList(event.workdir));
        break;
    }
    this.#follow(event);
  }

  result({ length, leftOut }: Pick<PreviousRun, 'length' | 'leftOut'>): PreviousRun | undefined {
    const { record, planned = 0, lastAttempts, outcomes, runEnd, queue, tally } = this.#state;
    if (!isWhole(record)) return undefined;
    const hasEndedByItself = runEnd !== undefined && !runEnd.interrupted && !runEnd.budget;
    return {
      record,
      planned,
      lastSeq: this.lastSeq,
      length,
      leftOut,
      // If events are lost, the end of a task run may be among them, unless every planned one has an outcome.
      isFinished: hasEndedByItself && (!this.#hasLostEvents || outcomes.size >= planned),
      lastAttempts,
      outcomes,
      cutOff: [...this.#openRecords.values()],
      endedAttempts: this.#endedAttempts,
      queue,
      workspaces: this.#workspaces,
      kept: this.#kept,
      spent: { cost: tally.cost, tokens: tally.tokens, durationMs: this.#state.durationMs },
    };
  }

  #follow(event: JournalEvent): void {
    const name = 'taskRun' in event ? event.taskRun : undefined;
    const attempt = name === undefined ? undefined : this.#openRecords.get(name);
    if (!attempt) return;
    attempt.seqs.push(event.seq);
    addToCutOffRecord(attempt, event);
  }
}

function toList<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

/** Whether the first line has everything that `--resume` needs: a damaged one may not. */
function isWhole(record: Partial<RunRecord> | undefined): record is RunRecord {
  const { id, eval: evaluated, files, options, process } = record ?? {};
  return [id, evaluated, files, options, process].every((member) => member !== undefined);
}

/**
 * An attempt that had begun and not ended when its process was killed: what cleaning up after it needs. Workers
 * store it in Redis, so the names of its members are fixed.
 */
export interface CutOffAttempt {
  started: TaskRunStarted;
  startedAt: string;
  calls: CallCounts;
  /** Steps that have ended, with what later steps can refer to. */
  steps: {
    type: string;
    id?: string | undefined;
    outputs: Readonly<Record<string, string>>;
    truncated?: string[] | undefined;
  }[];
  prompt?: string;
}

/** Begins the record of an attempt, from its first event. */
export function beginCutOffRecord(started: TaskRunStarted & { at: string }): CutOffAttempt {
  return { started, startedAt: started.at, calls: createCallCounts(), steps: [] };
}

/** Adds one more event of the attempt to its record. */
export function addToCutOffRecord(attempt: CutOffAttempt, event: JournalEvent): void {
  switch (event.type) {
    case 'phase-started':
      if (event.prompt !== undefined) attempt.prompt = event.prompt;
      break;
    case 'step-ended': {
      const { kind, id, outputs, truncated } = event;
      attempt.steps.push({ type: kind, id, outputs, truncated });
      break;
    }
    case 'mcp-call':
      countCall(attempt.calls, event);
      break;
  }
}

/** How every journal begins. */
const beginning = '{"seq":1,"at":"';
const chunkSize = 64 * 1024;

/** Whether the process that wrote a journal was killed before its first line was whole. */
export async function isEmptyJournal(journal: string): Promise<boolean> {
  const file = await open(journal, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkSize);
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
      const bytes = chunk.subarray(0, bytesRead);
      if (bytesRead === 0) return true;
      if (position === 0 && !isBeginning(bytes.toString('latin1', 0, beginning.length)))
        return false;
      if (bytes.includes('\n')) return false;
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}

function isBeginning(text: string): boolean {
  return text === beginning.slice(0, text.length);
}
