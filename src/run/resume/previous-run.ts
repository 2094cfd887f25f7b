import { open } from 'node:fs/promises';
import type { JournalEvent } from '../../journal/event.js';
import { type OnLeftOut, readPlacedJournal } from '../../journal/journal-reader.js';
import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import type { RunRecord } from '../../journal/run-events.js';
import { RunState } from '../../journal/run-state.js';
import type { Outcome, TaskRunStarted } from '../../journal/task-run-events.js';
import type { SpentBefore } from '../schedule/stop-conditions.js';
import { type CallCounts, countCall, createCallCounts } from '../task-run/evidence.js';

/** What a journal says that is needed to go on with it. */
export interface PreviousRun {
  evaluation: RunRecord;
  /** Task runs that were to happen, as far as was known in the end. */
  planned: number;
  lastSeq: number;
  /** Bytes of the journal up to the end of its last event: what was being written after it goes. */
  length: number;
  /** Lines, and members of events, that are not what they should be. */
  leftOut: LeftOutParts;
  /** It came to its end, and nothing is missing. */
  isComplete: boolean;
  /** Key of a task run -> how often it was begun. */
  attempts: ReadonlyMap<string, number>;
  /** Key of a task run that has ended, and was not cancelled -> its outcome. */
  outcomes: ReadonlyMap<string, Outcome>;
  /** Task runs that had begun and not ended, each with the `seq`s of its events. */
  cutOff: (CutOffTaskRun & { seqs: readonly number[] })[];
  /** Names of the attempts that have ended, as events have them, cancelled ones among them. */
  endedAttempts: ReadonlySet<string>;
  /** Its id in a queue, if that is where it is under way. */
  queue: string | undefined;
  /** Folders of every process that wrote to the journal. */
  workspaces: string[];
  /** Working directories that `--keep-workdir` kept. */
  kept: string[];
  /** By all attempts, as far as they came to an end. */
  spent: SpentBefore;
}

/**
 * Reads what is done and what is left to do. Of a damaged journal only that counts as done whose start and end
 * are both there: whatever else it was is done again. Throws what readJournal throws; undefined for a journal
 * that no check wrote, or whose first line is damaged, so that it is not known what it was about.
 */
export async function readPreviousRun(path: string): Promise<PreviousRun | undefined> {
  const fold = new PreviousRunFold();
  const leftOut = new LeftOutList();
  let length = 0;
  const onLeftOut: OnLeftOut = (part, isEvent) => {
    leftOut.add(part);
    if (isEvent) fold.loseEvent();
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
  readonly #open = new Map<string, CutOffTaskRun & { seqs: number[] }>();
  readonly #endedAttempts = new Set<string>();
  readonly #workspaces: string[] = [];
  readonly #kept: string[] = [];

  /** Called for an event that is lost: it may have been anything, also the end of a task run. */
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
        this.#open.set(event.taskRun, { ...startTaskRun(event), seqs: [] });
        break;
      case 'task-run-ended':
        this.#endedAttempts.add(event.taskRun);
        if (!this.#state.open.has(event.taskRun)) this.#open.delete(event.taskRun);
        this.#kept.push(...toList(event.workdir));
        break;
    }
    this.#follow(event);
  }

  result({ length, leftOut }: Pick<PreviousRun, 'length' | 'leftOut'>): PreviousRun | undefined {
    const { evaluation, planned = 0, attempts, outcomes, runEnd, queue, tally } = this.#state;
    if (!isWhole(evaluation)) return undefined;
    const isAllDone = runEnd !== undefined && !runEnd.interrupted && !runEnd.budget;
    return {
      evaluation,
      planned,
      lastSeq: this.lastSeq,
      length,
      leftOut,
      // What was lost may be the end of a task run, unless all have one.
      isComplete: isAllDone && (!this.#hasLostEvents || outcomes.size >= planned),
      attempts,
      outcomes,
      cutOff: [...this.#open.values()],
      endedAttempts: this.#endedAttempts,
      queue,
      workspaces: this.#workspaces,
      kept: this.#kept,
      spent: { cost: tally.cost, tokens: tally.tokens, durationMs: this.#state.durationMs },
    };
  }

  #follow(event: JournalEvent): void {
    const taskRun = 'taskRun' in event ? event.taskRun : undefined;
    const run = taskRun === undefined ? undefined : this.#open.get(taskRun);
    if (!run) return;
    run.seqs.push(event.seq);
    followTaskRun(run, event);
  }
}

function toList<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

/** Whether the first line has everything that going on needs: a damaged one may not. */
function isWhole(evaluation: Partial<RunRecord> | undefined): evaluation is RunRecord {
  const { id, eval: evaluated, files, options, process } = evaluation ?? {};
  return [id, evaluated, files, options, process].every((member) => member !== undefined);
}

/**
 * A task run that had begun and not ended when its process was killed: what cleaning up after it needs. Workers
 * store it in Redis, so the names of its members are fixed.
 */
export interface CutOffTaskRun {
  started: TaskRunStarted;
  startedAt: string;
  calls: CallCounts;
  /** Of its steps, by what later steps refer to them by. */
  steps: {
    type: string;
    id?: string | undefined;
    outputs: Readonly<Record<string, string>>;
    truncated?: string[] | undefined;
  }[];
  prompt?: string;
}

export function startTaskRun(started: TaskRunStarted & { at: string }): CutOffTaskRun {
  return { started, startedAt: started.at, calls: createCallCounts(), steps: [] };
}

/** Takes in one more event of it. */
export function followTaskRun(run: CutOffTaskRun, event: JournalEvent): void {
  switch (event.type) {
    case 'phase-started':
      if (event.prompt !== undefined) run.prompt = event.prompt;
      break;
    case 'step-ended': {
      const { kind, id, outputs, truncated } = event;
      run.steps.push({ type: kind, id, outputs, truncated });
      break;
    }
    case 'mcp-call':
      countCall(run.calls, event);
      break;
  }
}

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
