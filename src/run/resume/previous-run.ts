import { open } from 'node:fs/promises';
import type { JournalEvent } from '../../events/event.js';
import { readJournal } from '../../events/journal-reader.js';
import { RunClock } from '../../events/run-clock.js';
import type { Evaluation, RunResumed } from '../../events/run-events.js';
import { spend } from '../../events/spending.js';
import type { Outcome } from '../../events/task-run-events.js';
import { taskRunKey } from '../../events/task-run-key.js';
import type { SpentBefore } from '../budget.js';
import { begunTaskRun, followTaskRun, type InterruptedTaskRun } from './interrupted-task-run.js';

/** What a journal tells whoever wants to go on with it. */
export interface PreviousRun {
  evaluation: Evaluation;
  /** Task runs that were to happen, as far as was known in the end. */
  planned: number;
  lastSeq: number;
  /** Bytes of the journal that are good. */
  length: number;
  /** It came to its end, and nothing is missing. */
  isComplete: boolean;
  /** Key of a task run -> how often it was begun. */
  attempts: ReadonlyMap<string, number>;
  /** Key of a task run that has a verdict -> its outcome. */
  finished: ReadonlyMap<string, Outcome>;
  /** With the `seq` of each event of theirs. */
  interrupted: (InterruptedTaskRun & { seqs: readonly number[] })[];
  /** Names of the task runs, as events have them, that came to an end. */
  ended: ReadonlySet<string>;
  /** Its id in a queue, if that is where it is under way. */
  queue?: string;
  /** Folders of every process that wrote to the journal. */
  workspaces: string[];
  /** Working directories that were asked for. */
  kept: string[];
  /** By all attempts, as far as they came to an end. */
  spent: SpentBefore;
}

/** Throws what readJournal throws; undefined for a journal that no check wrote. */
export async function readPreviousRun(path: string): Promise<PreviousRun | undefined> {
  const fold = new PreviousRunFold();
  for await (const event of readJournal(path)) fold.add(event);
  return fold.result(await goodLength(path, fold.lastSeq));
}

class PreviousRunFold {
  lastSeq = 0;
  #evaluation: Evaluation | undefined;
  #isComplete = false;
  #planned = 0;
  readonly #attempts = new Map<string, number>();
  readonly #finished = new Map<string, Outcome>();
  readonly #open = new Map<string, InterruptedTaskRun & { seqs: number[] }>();
  readonly #ended = new Set<string>();
  #queue: string | undefined;
  readonly #workspaces: string[] = [];
  readonly #kept: string[] = [];
  readonly #clock = new RunClock();
  readonly #spent = { cost: 0, tokens: 0 };

  add(event: JournalEvent): void {
    this.lastSeq = event.seq;
    this.#clock.add(event);
    switch (event.type) {
      case 'run-started':
        this.#evaluation = event.evaluation;
        this.#planned = event.evaluation?.taskRuns ?? 0;
        this.#workspaces.push(...listOf(event.evaluation?.workspace));
        this.#queue = event.evaluation?.queue;
        break;
      case 'run-resumed':
        this.#workspaces.push(...listOf(event.workspace));
        this.#queue = event.queue;
        this.#isComplete = false;
        this.#planned = this.#finished.size + event.missing;
        this.#renew(event);
        break;
      case 'task-run-started':
        this.#attempts.set(taskRunKey(event), event.attempt);
        this.#open.set(event.taskRun, { ...begunTaskRun(event), seqs: [] });
        break;
      case 'task-run-ended':
        this.#open.delete(event.taskRun);
        this.#ended.add(event.taskRun);
        if (event.workdir !== undefined) this.#kept.push(event.workdir);
        if (event.outcome !== 'cancelled') {
          this.#finished.set(taskRunKey(event), event.outcome);
        }
        spend(this.#spent, event);
        break;
      case 'runs-decided':
        this.#planned += event.more;
        break;
      case 'run-ended':
        this.#isComplete = event.interrupted !== true && event.budget === undefined;
        this.#queue = undefined;
        break;
    }
    this.#follow(event);
  }

  result(length: number): PreviousRun | undefined {
    return (
      this.#evaluation && {
        evaluation: this.#evaluation,
        planned: this.#planned,
        lastSeq: this.lastSeq,
        length,
        isComplete: this.#isComplete,
        attempts: this.#attempts,
        finished: this.#finished,
        interrupted: [...this.#open.values()],
        ended: this.#ended,
        ...(this.#queue !== undefined && { queue: this.#queue }),
        workspaces: this.#workspaces,
        kept: this.#kept,
        spent: { ...this.#spent, durationMs: this.#clock.durationMs },
      }
    );
  }

  /** What was forced once is what counts from then on. */
  #renew({ files, options }: RunResumed): void {
    if (!this.#evaluation) return;
    this.#evaluation = {
      ...this.#evaluation,
      ...(files && { files }),
      ...(options && { options }),
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

function listOf<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}

const chunkSize = 256 * 1024;
const lineFeed = 0x0a;

/** Up to the end of the last line that counts: what was being written when the process died goes. */
async function goodLength(path: string, lines: number): Promise<number> {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(chunkSize);
    let line = 0;
    for (let position = 0; ; ) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position);
      const read = chunk.subarray(0, bytesRead);
      let end = -1;
      while (line < lines) {
        end = read.indexOf(lineFeed, end + 1);
        if (end === -1) break;
        line += 1;
      }
      if (line === lines || bytesRead === 0) return position + end + 1;
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}
