import { constants, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventBody, JournalEvent } from '../../journal/event.js';
import { canBelongToTaskRun } from '../../journal/event-schemas.js';
import { parseEvent } from '../../journal/journal-reader.js';
import type { TaskRunEnded } from '../../journal/task-run-events.js';
import type { EventStream } from '../../run/journal/event-stream.js';
import { nameKeptOutputsFolder } from '../../run/journal/kept-outputs.js';
import type { PreviousRun } from '../../run/resume/previous-run.js';
import type { StreamEntry } from './stream-entries.js';

/** An event of a worker that cannot be written into the journal. */
export class InvalidEventError extends Error {}

/**
 * Writes the events of workers into the journal. There each event gets its own `seq`, and events that point at
 * others of their task run point at the right ones again. What arrives twice is written once.
 */
export class EventIngest {
  readonly #events: EventStream;
  /** Name of an attempt under way -> the `seq` of each of its events. */
  readonly #seqs = new Map<string, number[]>();
  /** Attempts that have ended: what a worker sends again, as it got no answer, may come after that. */
  readonly #ended: Set<string>;

  constructor(events: EventStream, previous: PreviousRun | undefined) {
    this.#events = events;
    this.#ended = new Set(previous?.endedAttempts);
    for (const { started, seqs } of previous?.cutOff ?? []) {
      this.#seqs.set(started.taskRun, [...seqs]);
    }
  }

  /** The end of the task run, if it is in there. */
  write({ taskRun, lines }: Extract<StreamEntry, { kind: 'events' }>): TaskRunEnded | undefined {
    let ended: TaskRunEnded | undefined;
    for (const line of lines) {
      const event = parseTaskRunEvent(taskRun, line);
      const { seq: place, at, ...body } = event;
      if (taskRun === '') {
        this.#events.write(body as EventBody, at);
        continue;
      }
      if (this.#ended.has(taskRun)) continue;
      const seqs = this.#seqsOf(taskRun);
      if (place <= seqs.length) continue;
      if (place > seqs.length + 1) throw new InvalidEventError(`events of ${taskRun} are missing`);
      const placed = withOwnSeqs(body as EventBody, seqs);
      seqs.push(this.#events.write(placed, at));
      if (placed.type !== 'task-run-ended') continue;
      ended = placed;
      this.#seqs.delete(taskRun);
      this.#ended.add(taskRun);
    }
    return ended;
  }

  #seqsOf(taskRun: string): number[] {
    const known = this.#seqs.get(taskRun);
    if (known) return known;
    const seqs: number[] = [];
    this.#seqs.set(taskRun, seqs);
    return seqs;
  }
}

/** Anything may have been written to the queue: what would break the journal is refused. */
function parseTaskRunEvent(taskRun: string, line: string): JournalEvent {
  const event = parseEvent(line);
  if (!event || event.at === '') {
    throw new InvalidEventError(`a worker sent something that is not an event of ${taskRun}`);
  }
  const isOfRun = taskRun === '' ? event.type === 'warning' : canBelongToTaskRun(event.type);
  const whose = 'taskRun' in event ? event.taskRun : undefined;
  if (!isOfRun || (whose ?? '') !== taskRun) {
    throw new InvalidEventError(
      `a worker sent an event (${event.type}) that does not belong to ${taskRun}`,
    );
  }
  return event;
}

/** Events point at others by their place within the task run. */
function withOwnSeqs(body: EventBody, seqs: readonly number[]): EventBody {
  const seqOf = (place: number) => seqs[place - 1] ?? seqs[0] ?? 1;
  if (body.type === 'mcp-call') {
    const { request, response } = body;
    return { ...body, request: seqOf(request), response: response && seqOf(response) };
  }
  if (body.type === 'task-run-ended' && body.failure) {
    return { ...body, failure: { ...body.failure, evidence: seqOf(body.failure.evidence) } };
  }
  return body;
}

/** Writes the long outputs that workers sent beside the journal. */
export class FileIngest {
  readonly #folder: string;

  constructor(journalPath: string) {
    this.#folder = nameKeptOutputsFolder(journalPath);
  }

  /** A part that comes twice goes where it was. One that cannot be written is left out, as in a local run. */
  async write(name: string, offset: number, data: string): Promise<void> {
    // A worker says the name, and may write nowhere else.
    if (!/^[a-z0-9._-]+\.txt$/.test(name) || name.startsWith('.')) return;
    try {
      await mkdir(this.#folder, { recursive: true });
      const path = join(this.#folder, name);
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        // It may be done anew, after a worker was lost in the middle of it.
        if (offset === 0) await file.truncate();
        await file.write(Buffer.from(data), 0, undefined, offset);
      } finally {
        await file.close();
      }
    } catch {
      // The journal, which has its beginning and its end, is what counts.
    }
  }
}
