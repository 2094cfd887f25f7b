import { constants } from 'node:buffer';
import { type FileHandle, open } from 'node:fs/promises';
import type { JournalEvent } from './event.js';
import { fileLines, type LinePlace, OverlongLine } from './file-lines.js';
import { DamagedJournal, NotAJournal } from './journal-errors.js';
import { topLevelMembers } from './json-members.js';
import { isNewerSchema } from './newer-schema.js';
import { RawJson } from './raw-json.js';
import { rawMembersOf } from './raw-members.js';
import { journalSchema } from './run-events.js';

/**
 * The events of a journal, one in memory at a time. A torn last line (the process was killed while
 * it wrote) is ignored. Throws NotAJournal, DamagedJournal, or what the file system says.
 */
export async function* readJournal(path: string): AsyncGenerator<JournalEvent> {
  for await (const { event } of readPlacedJournal(path)) yield event;
}

/** An event, and where to find it again. */
export interface PlacedEvent {
  event: JournalEvent;
  place: LinePlace;
}

/** As readJournal, for whoever comes back to some of the events. */
export async function* readPlacedJournal(path: string): AsyncGenerator<PlacedEvent> {
  const file = await open(path, 'r');
  try {
    let line = 0;
    // The last line may be broken, so it is an error only when another one follows.
    let isBroken = false;
    for await (const { text, isComplete, place } of placed(path, fileLines(file, maxLineBytes))) {
      if (isBroken) throw new DamagedJournal(path, line, 'the line is not an event');
      line++;
      if (line === 1) checkSchema(path, text, isComplete);
      if (!isComplete) return;
      const event = eventOf(text);
      if (!event) {
        isBroken = true;
        continue;
      }
      if (event.seq !== line) {
        throw new DamagedJournal(path, line, `expected seq ${line}, found ${event.seq}`);
      }
      yield { event, place };
    }
    if (line === 0) throw new NotAJournal(path, 'an empty file');
  } finally {
    await file.close();
  }
}

/** An event that was read before. */
export async function eventAt(
  file: Pick<FileHandle, 'read'>,
  { start, length }: LinePlace,
): Promise<JournalEvent> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  const event = eventOf(bytes.toString('utf8', 0, done));
  if (!event) throw new Error('the journal was changed while it was read');
  return event;
}

/**
 * A file of another kind is not read to its end to find its first line. That of a check names every
 * file of the suite, of which there can be ten thousand.
 */
function maxLineBytes(line: number): number {
  return line === 1 ? 16 * 1024 * 1024 : constants.MAX_STRING_LENGTH;
}

/** Says where it was when a line is too long. */
async function* placed<Line>(path: string, lines: AsyncGenerator<Line>): AsyncGenerator<Line> {
  let line = 1;
  try {
    for await (const each of lines) {
      line++;
      yield each;
    }
  } catch (error) {
    if (!(error instanceof OverlongLine)) throw error;
    if (line === 1) throw new NotAJournal(path, 'a very long first line');
    throw new DamagedJournal(path, line, error.message);
  }
}

function checkSchema(path: string, text: string, isComplete: boolean): void {
  const first = objectOf(text);
  const schema = first?.schema;
  if (schema === journalSchema && isComplete) return;
  if (first && typeof schema === 'string' && schema !== journalSchema) {
    throw new NotAJournal(path, schema.slice(0, 100), isNewerSchema(schema, journalSchema));
  }
  if (!isComplete) throw new NotAJournal(path, 'a single line that was never finished');
  throw new NotAJournal(path, first ? 'JSON without a schema' : 'a first line that is not JSON');
}

/** The event of a line; undefined if it is none. */
export function eventOf(text: string): JournalEvent | undefined {
  const event = objectOf(text);
  if (typeof event?.seq !== 'number' || typeof event.type !== 'string') return undefined;
  const raw = rawMembersOf(event.type);
  if (raw.size > 0) {
    for (const { key, start, end } of topLevelMembers(text)) {
      if (raw.has(key)) event[key] = new RawJson(text.slice(start, end));
    }
  }
  // Journals are made by eventLine, which takes nothing else.
  return event as unknown as JournalEvent;
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
