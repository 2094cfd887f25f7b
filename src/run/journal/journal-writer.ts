import { constants, type FileHandle, open } from 'node:fs/promises';
import { explainWriteFailure } from '../../base/write-failure.js';
import type { Redactor } from '../../config/secrets/redactor.js';
import {
  type EventBody,
  type EventSink,
  formatEventLine,
  type MemberEdit,
} from '../../journal/event.js';
import { createMemberRedaction } from './redaction.js';

/** The journal cannot be written: says which file, why, and what to do. */
export class JournalError extends Error {
  /** The code of the file system's error, such as `ENOSPC`. */
  readonly code: string;
  /** As it was given. */
  readonly path: string;

  constructor(path: string, cause: unknown) {
    const { code, reason } = explainWriteFailure(cause);
    super(`cannot write the journal ${path}: ${reason}`, { cause });
    this.name = 'JournalError';
    this.code = code;
    this.path = path;
  }
}

export interface JournalOptions {
  redactor: Redactor;
  /** The `seq` of the last event that the journal has already. */
  lastSeq?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Called once, when writing has failed, so that the run can be stopped: without a journal it is worth nothing. */
  onFailure?: (failure: JournalError) => void;
}

/** The part of a file that a journal needs. */
export interface JournalFile {
  /** May write less than it was given. */
  write(
    bytes: Buffer,
    offset: number,
    length: number,
    position: null,
  ): Promise<{ bytesWritten: number }>;
  close(): Promise<void>;
}

interface Chunk {
  bytes: Buffer;
  length: number;
}

/** Bytes of a buffer in which lines are collected for one write. */
const chunkSize = 256 * 1024;
/** Bytes that may wait to be written before `pressure` makes producers of events wait. */
const maxWaiting = 8 * 1024 * 1024;

/** Milliseconds for which lines are collected into one write: a write takes longer than formatting ten lines. */
const gatheringTime = 20;

/** Appends events to the journal, with their secrets redacted. */
export class JournalWriter implements EventSink {
  /** The first error. Events after it get a `seq`, but are not written. */
  failure: JournalError | undefined;
  readonly #path: string;
  /** Undefined until `begin` has opened it. */
  #file: JournalFile | undefined;
  readonly #redactor: Redactor;
  readonly #redacted: MemberEdit;
  readonly #now: () => number;
  readonly #onFailure: (failure: JournalError) => void;
  readonly #chunks: Chunk[] = [];
  /** Chunks to use again: allocating anew all the time makes the process grow. */
  readonly #spares: Buffer[] = [];
  #seq = 0;
  #time = { ms: Number.NEGATIVE_INFINITY, text: '' };
  /** Bytes of all lines so far, and how many of them are written. */
  #taken = 0;
  #written = 0;
  #isWriting = false;
  #gathering: NodeJS.Timeout | undefined;
  #flushes: { until: number; settle: () => void }[] = [];
  #relief: { promise: Promise<void>; settle: () => void } | undefined;
  #closing: Promise<void> | undefined;

  /** Writes to a file that is open already (`create` opens one), or collects events in memory until `begin`. */
  constructor(path: string, file: JournalFile | undefined, options: JournalOptions) {
    const { redactor, now, onFailure, lastSeq = 0 } = options;
    this.#path = path;
    this.#file = file;
    this.#redactor = redactor;
    this.#redacted = createMemberRedaction(redactor);
    this.#now = now ?? Date.now;
    this.#onFailure = onFailure ?? (() => {});
    this.#seq = lastSeq;
  }

  /** Throws JournalError, also when the file exists, unless it is to be overwritten. */
  static async create(
    path: string,
    { overwrite = false, ...options }: JournalOptions & { overwrite?: boolean },
  ): Promise<JournalWriter> {
    try {
      const file = overwrite ? await openPrivately(path) : await open(path, 'wx', 0o600);
      return new JournalWriter(path, file, options);
    } catch (error) {
      throw new JournalError(path, error);
    }
  }

  /**
   * Opens the file of a journal that was made without one, and writes what was collected until now. What the file
   * held is overwritten. Throws JournalError.
   */
  async begin(): Promise<void> {
    if (this.#file) return;
    try {
      this.#file = await openPrivately(this.#path);
    } catch (error) {
      throw new JournalError(this.#path, error);
    }
    this.#scheduleWrite();
  }

  /** Opens a journal to append to it, after cutting off what stands behind its first `length` bytes. */
  static async append(
    path: string,
    { length, ...options }: JournalOptions & { length: number },
  ): Promise<JournalWriter> {
    try {
      const file = await open(path, 'r+');
      await file.truncate(length);
      await file.close();
      return new JournalWriter(path, await open(path, 'a'), options);
    } catch (error) {
      throw new JournalError(path, error);
    }
  }

  /** `at` is given for an event of another process, by that process's clock. */
  write(body: EventBody, at = this.readClock()): number {
    const seq = this.#seq + 1;
    if (!this.failure && !this.#closing) {
      const event = { ...body, seq, at };
      this.#append(`${formatEventLine(event, this.#redacted)}\n`);
    }
    // Only now, as formatting may throw: the `seq` must have no gaps.
    this.#seq = seq;
    return seq;
  }

  pressure(): Promise<void> | undefined {
    if (!this.#isBehind()) return undefined;
    this.#relief ??= promiseToSettle();
    return this.#relief.promise;
  }

  redact(text: string): string {
    return this.#redactor.text(text);
  }

  /**
   * Settles when the operating system has everything so far (no fsync), or at once before `begin`. Rejects with the
   * failure.
   */
  async flush(): Promise<void> {
    const until = this.#taken;
    if (this.#file && !this.failure && this.#written < until) {
      const { promise, settle } = promiseToSettle();
      this.#flushes.push({ until, settle });
      this.#scheduleWrite();
      await promise;
    }
    if (this.failure) throw this.failure;
  }

  /** Flushes, then closes the file. Later events get a `seq`, but are not written. Rejects with the failure. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      // A network file system may report only here that it could not write.
      await this.#file?.close().catch((error: unknown) => this.#fail(error));
    }
    if (this.failure) throw this.failure;
  }

  /** Gives the time of an event. Wall clocks are set back at times, but times in a journal never decrease. */
  readClock(): string {
    const ms = this.#now();
    if (ms > this.#time.ms) this.#time = { ms, text: new Date(ms).toISOString() };
    return this.#time.text;
  }

  #append(line: string): void {
    const size = Buffer.byteLength(line);
    let chunk = this.#chunks.at(-1);
    if (!chunk || chunk.bytes.length - chunk.length < size) {
      chunk = this.#takeChunk(size);
      this.#chunks.push(chunk);
    }
    chunk.length += chunk.bytes.write(line, chunk.length);
    this.#taken += size;
    this.#scheduleWrite();
  }

  /** Writes at once if a flush waits or a chunk is full; otherwise after `gatheringTime`. */
  #scheduleWrite(): void {
    if (!this.#file || this.#isWriting || this.#chunks.length === 0) return;
    if (this.#isUrgent()) void this.#writeChunks();
    else this.#gathering ??= setTimeout(() => void this.#writeChunks(), gatheringTime);
  }

  #isUrgent(): boolean {
    return this.#flushes.length > 0 || this.#chunks.length > 1;
  }

  #takeChunk(size: number): Chunk {
    const spare = size <= chunkSize ? this.#spares.pop() : undefined;
    return { bytes: spare ?? Buffer.allocUnsafeSlow(Math.max(size, chunkSize)), length: 0 };
  }

  #keepSpare(bytes: Buffer): void {
    const isUseful = bytes.length === chunkSize && this.#spares.length < maxWaiting / chunkSize;
    if (isUseful) this.#spares.push(bytes);
  }

  /** One write at a time keeps the order. */
  async #writeChunks(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#isWriting = true;
    do {
      const chunk = this.#chunks.shift();
      if (chunk === undefined) break;
      try {
        await writeAll(file, chunk);
      } catch (error) {
        this.#fail(error);
        break;
      }
      this.#written += chunk.length;
      this.#keepSpare(chunk.bytes);
      this.#settle();
    } while (this.#isUrgent());
    this.#isWriting = false;
    this.#scheduleWrite();
  }

  #fail(error: unknown): void {
    if (this.failure) return;
    this.failure = new JournalError(this.#path, error);
    this.#chunks.length = 0;
    this.#settle();
    this.#onFailure(this.failure);
  }

  #isBehind(): boolean {
    return !this.failure && this.#taken - this.#written > maxWaiting;
  }

  #settle(): void {
    const isDone = ({ until }: { until: number }) => this.failure || this.#written >= until;
    while (this.#flushes[0] && isDone(this.#flushes[0])) this.#flushes.shift()?.settle();
    if (this.#isBehind()) return;
    this.#relief?.settle();
    this.#relief = undefined;
  }
}

async function writeAll(file: JournalFile, { bytes, length }: Chunk): Promise<void> {
  for (let done = 0; done < length; ) {
    const { bytesWritten } = await file.write(bytes, done, length - done, null);
    if (bytesWritten === 0) throw new Error('the file cannot grow any more');
    done += bytesWritten;
  }
}

/** Opens and empties a file that may have been there before, and lets only its owner read it. */
async function openPrivately(path: string): Promise<FileHandle> {
  // Not `w`: what cannot become a journal must not be emptied for it.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
  try {
    // A device such as /dev/null cannot be truncated.
    if ((await file.stat()).isFile()) {
      // An older file has kept its mode.
      await file.chmod(0o600).catch(() => {
        throw new Error(
          'others may read it, and its mode cannot be changed: remove it, or choose another file',
        );
      });
      await file.truncate();
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function promiseToSettle(): { promise: Promise<void>; settle: () => void } {
  let settle = () => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
