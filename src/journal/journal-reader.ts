import { constants } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import { type FileLine, type LinePlace, readFileLines, readTextAt } from '../base/file-lines.js';
import { isDeeperThan, isObject } from '../base/json.js';
import { findMembers, RawJson } from '../base/json-text.js';
import type { JournalEvent } from './event.js';
import { isKnownType, listRawMembers, repairEvent } from './event-schemas.js';
import { describeFound, type LeftOut } from './left-out.js';
import { journalSchema } from './run-events.js';

/**
 * Called for each part of a journal that its reader left out. `losesEvent`: an event that this version knows is
 * lost with it, so that something is missing. Otherwise it is only a member of an event, or an event of an unknown
 * type.
 */
export type OnLeftOut = (part: LeftOut, losesEvent: boolean) => void;

/**
 * Reads the events of a journal, one in memory at a time. A line that is no event is left out, as are invalid
 * members of events; what stands before and after is read. A torn last line (the process was killed while it
 * wrote) is ignored. Throws NotAJournalError, or the error of the file system.
 */
export async function* readJournal(
  path: string,
  onLeftOut?: OnLeftOut,
): AsyncGenerator<JournalEvent> {
  for await (const { event } of readPlacedJournal(path, onLeftOut)) yield event;
}

/** An event, and its bytes in the file, by which `readEventAt` finds it again. */
export interface PlacedEvent {
  event: JournalEvent;
  place: LinePlace;
}

/** Reads events with their places in the file, for readers that come back to some of them. */
export async function* readPlacedJournal(
  path: string,
  onLeftOut: OnLeftOut = () => {},
): AsyncGenerator<PlacedEvent> {
  const file = await open(path, 'r');
  try {
    const order = new EventOrder(onLeftOut);
    let line = 0;
    let isJournal = false;
    for await (const fileLine of readFileLines(file, limitLineBytes)) {
      line++;
      const text = line === 1 ? fileLine.text.replace(/^\ufeff/, '') : fileLine.text;
      if (line === 1) checkFirstLine(path, fileLine, text);
      if (!fileLine.isComplete) break;
      const event = parseEvent(text);
      if (event) {
        isJournal = true;
        if (text.startsWith('\0')) {
          onLeftOut({ place: `line ${line}`, expected: 'an event', found: 'NUL bytes' }, true);
        }
        yield* order.next({ event, place: fileLine.place }, line);
        continue;
      }
      if (!isJournal && line === maxLinesBefore) throw new NotAJournalError(path, 'no events');
      order.skipLine();
      const found = fileLine.isTooLong ? 'a line that is too long to be read' : describeLine(text);
      onLeftOut({ place: `line ${line}`, expected: 'an event', found }, true);
    }
    if (line === 0) throw new NotAJournalError(path, 'an empty file');
    if (!isJournal) throw new NotAJournalError(path, 'no events');
    yield* order.end();
  } finally {
    await file.close();
  }
}

/** Lines without an event after which a file is no journal: one of another kind is not read to its end. */
const maxLinesBefore = 100;

interface WaitingEvent extends PlacedEvent {
  line: number;
}

/**
 * Finds out by their `seq` whether events are missing between two lines, or are there twice. A `seq` that is too
 * high either follows a gap, or is wrong itself: the next event says which, so that one event waits for it.
 */
class EventOrder {
  readonly #onLeftOut: OnLeftOut;
  #expected = 1;
  /** Lines without an event since the latest one: each of them may have been one. */
  #unreadable = 0;
  #waiting: WaitingEvent | undefined;

  constructor(onLeftOut: OnLeftOut) {
    this.#onLeftOut = onLeftOut;
  }

  skipLine(): void {
    this.#unreadable += 1;
  }

  /** Takes the next event, and gives those that can be used now. */
  *next(placed: PlacedEvent, line: number): Generator<PlacedEvent> {
    const { seq } = placed.event;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      yield* this.#settle(waiting, seq > waiting.event.seq);
    }
    const missing = seq - this.#expected;
    if (missing < 0) {
      const expected = `seq ${this.#expected}`;
      this.#onLeftOut({ place: `line ${line}`, expected, found: `seq ${seq}` }, true);
    } else if (missing > this.#unreadable) {
      this.#waiting = { ...placed, line };
    } else {
      yield* this.#take(placed, line);
    }
  }

  *end(): Generator<PlacedEvent> {
    if (this.#waiting) yield* this.#settle(this.#waiting, true);
  }

  *#settle(waiting: WaitingEvent, isAfterGap: boolean): Generator<PlacedEvent> {
    const { event, line } = waiting;
    const expected = `seq ${this.#expected}`;
    this.#onLeftOut({ place: `line ${line}`, expected, found: `seq ${event.seq}` }, true);
    if (!isAfterGap) event.seq = this.#expected;
    yield* this.#take(waiting, line);
  }

  *#take({ event, place }: PlacedEvent, line: number): Generator<PlacedEvent> {
    this.#expected = event.seq + 1;
    this.#unreadable = 0;
    const at = `line ${line}`;
    if (!isKnownType(event.type)) {
      const found = describeFound(event.type);
      this.#onLeftOut({ place: at, expected: 'a known type of event', found }, false);
      return;
    }
    const lost: LeftOut[] = [];
    const isUsable = repairEvent(event, at, (part) => lost.push(part));
    for (const part of lost) this.#onLeftOut(part, !isUsable);
    if (!isUsable) return;
    if (isTooDeep(event)) {
      const found = 'one that is nested too deep';
      this.#onLeftOut({ place: at, expected: 'an event', found }, true);
    } else yield { event, place };
  }
}

/** Reads an event again, by its place. */
export async function readEventAt(
  file: Pick<FileHandle, 'read'>,
  place: LinePlace,
): Promise<JournalEvent> {
  const event = parseEvent(await readTextAt(file, place));
  if (!event) throw new Error('the journal was changed while it was read');
  return event;
}

/**
 * Limits the first line, so that a file of another kind is not read to its end to find it. In the journal of a
 * check it names every file of the suite, of which there can be ten thousand.
 */
function limitLineBytes(line: number): number {
  return line === 1 ? 16 * 1024 * 1024 : constants.MAX_STRING_LENGTH;
}

/** Throws NotAJournalError where the file is something else for sure, or of a newer Proctor. */
function checkFirstLine(path: string, { isComplete, isTooLong }: FileLine, text: string): void {
  if (isTooLong) throw new NotAJournalError(path, 'a very long first line');
  const schema = parseObject(text)?.schema;
  if (typeof schema === 'string' && schema !== journalSchema) {
    throw new NotAJournalError(path, schema.slice(0, 100), isNewerSchema(schema, journalSchema));
  }
  if (!isComplete) throw new NotAJournalError(path, 'a single line that was never finished');
}

/** Describes a line that is no event, in a few words. */
function describeLine(text: string): string {
  if (text.trim() === '') return 'an empty line';
  if (/^\0+$/.test(text)) return 'NUL bytes';
  return describeFound(text);
}

/**
 * Parses a line; undefined if it is no event. An event without a time gets an empty `at`. After a power cut, NUL
 * bytes can stand before an event: the file had grown, but its new bytes were never written.
 */
export function parseEvent(line: string): JournalEvent | undefined {
  const text = line.replace(/^\0+/, '');
  const event = parseObject(text);
  if (!Number.isSafeInteger(event?.seq) || typeof event?.type !== 'string') return undefined;
  if (typeof event.at !== 'string') event.at = '';
  const raw = listRawMembers(event.type);
  if (raw.size > 0) {
    for (const { key, start, end } of findMembers(text)) {
      if (raw.has(key)) event[key] = new RawJson(text.slice(start, end));
    }
  }
  // Journals are made by formatEventLine, which takes nothing else.
  return event as unknown as JournalEvent;
}

/** Levels of nesting: far more than an event has, and far less than JSON.stringify can take. */
const maxDepth = 1000;

/** Whether JSON.stringify could fail on an event when results are written. Raw JSON is text already. */
function isTooDeep(event: JournalEvent): boolean {
  return Object.values(event).some(
    (member) => !(member instanceof RawJson) && isDeeperThan(maxDepth, member),
  );
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The file is something else, or a journal that only a newer Proctor can read. */
export class NotAJournalError extends Error {
  readonly code: 'not-a-journal' | 'newer-journal';
  readonly path: string;
  /** What is there instead. */
  readonly found: string;

  constructor(path: string, found: string, isNewer = false) {
    super(
      isNewer
        ? `${path} was made by a newer Proctor (${found}, this one reads ${journalSchema}): update Proctor to read it`
        : `${path} is not a journal of Proctor: found ${found}, expected ${journalSchema} in its first line`,
    );
    this.name = 'NotAJournalError';
    this.code = isNewer ? 'newer-journal' : 'not-a-journal';
    this.path = path;
    this.found = found;
  }
}

/** Whether a name such as `mcp-proctor/journal/v2` is a later version of the one that is read here. */
export function isNewerSchema(found: string, own: string): boolean {
  const [name, version = ''] = found.split('/v');
  const [ownName, ownVersion = ''] = own.split('/v');
  return name === ownName && /^\d+$/.test(version) && Number(version) > Number(ownVersion);
}
