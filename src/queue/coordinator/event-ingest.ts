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
 * Writes the events of workers into the journal. Workers number the events of each attempt from 1. In the journal each
 * gets another `seq`, and events that point at others of their attempt are made to point at these. An event that
 * arrives twice is written once.
 */
export class EventIngest {
  readonly #events: EventStream;
  /** Name of an attempt under way -> the `seq` in the journal of each of its events, in their order. */
  readonly #seqs = new Map<string, number[]>();
  /** Attempts that have ended: a worker that got no answer sends events again, also after the end. */
  readonly #ended: Set<string>;

  constructor(events: EventStream, previous: PreviousRun | undefined) {
    this.#events = events;
    this.#ended = new Set(previous?.endedAttempts);
    for (const { started, seqs } of previous?.cutOff ?? []) {
      this.#seqs.set(started.taskRun, [...seqs]);
    }
  }

  /** Writes the events of an entry. Gives the end of the attempt, if it is among them. */
  write({ attempt, lines }: Extract<StreamEntry, { kind: 'events' }>): TaskRunEnded | undefined {
    let ended: TaskRunEnded | undefined;
    for (const line of lines) {
      const event = parseWorkerEvent(attempt, line);
      const { seq: position, at, ...body } = event;
      if (attempt === '') {
        this.#events.write(body as EventBody, at);
        continue;
      }
      if (this.#ended.has(attempt)) continue;
      const seqs = this.#seqsOf(attempt);
      if (position <= seqs.length) continue;
      if (position > seqs.length + 1)
        throw new InvalidEventError(`events of ${attempt} are missing`);
      const corrected = replacePositions(body as EventBody, seqs);
      seqs.push(this.#events.write(corrected, at));
      if (corrected.type !== 'task-run-ended') continue;
      ended = corrected;
      this.#seqs.delete(attempt);
      this.#ended.add(attempt);
    }
    return ended;
  }

  #seqsOf(attempt: string): number[] {
    const known = this.#seqs.get(attempt);
    if (known) return known;
    const seqs: number[] = [];
    this.#seqs.set(attempt, seqs);
    return seqs;
  }
}

/** Throws InvalidEventError for what would break the journal: anything may have been written to the queue. */
function parseWorkerEvent(attempt: string, line: string): JournalEvent {
  const event = parseEvent(line);
  if (!event || event.at === '') {
    throw new InvalidEventError(`a worker sent something that is not an event of ${attempt}`);
  }
  const isAllowed = attempt === '' ? event.type === 'warning' : canBelongToTaskRun(event.type);
  const whose = 'taskRun' in event ? event.taskRun : undefined;
  if (!isAllowed || (whose ?? '') !== attempt) {
    throw new InvalidEventError(
      `a worker sent an event (${event.type}) that does not belong to ${attempt}`,
    );
  }
  return event;
}

/** Replaces the positions by which an event points at others of its attempt with their `seq` in the journal. */
function replacePositions(body: EventBody, seqs: readonly number[]): EventBody {
  const seqOf = (position: number) => seqs[position - 1] ?? seqs[0] ?? 1;
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

  /** Writes a part of a file. One that cannot be written is left out, as in a local run. */
  async write(name: string, offset: number, data: string): Promise<void> {
    // The name comes from a worker, which must not write anywhere else.
    if (!/^[a-z0-9._-]+\.txt$/.test(name) || name.startsWith('.')) return;
    try {
      await mkdir(this.#folder, { recursive: true });
      const path = join(this.#folder, name);
      const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        // Another attempt may have written a part of it before its worker was lost.
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
