import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';

type Done = (error?: Error | null) => void;

/** A new file that is hashed while it is written, and synced when the stream has finished. */
export class HashedFile extends Writable {
  readonly path: string;
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #maxBytes: number;
  #file: Promise<FileHandle> | undefined;

  constructor(path: string, maxBytes: number) {
    super();
    this.path = path;
    this.#maxBytes = maxBytes;
  }

  /** Returns the hash; to be called once, at the end. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** Closes the file; resolves when nothing is written any more. */
  async discard(): Promise<void> {
    this.destroy();
    await finished(this).catch(() => {});
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: Done): void {
    settle(this.#add(chunk), done);
  }

  override _final(done: Done): void {
    settle(this.#finish(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    settle(this.#close(), (failure) => done(error ?? failure));
  }

  async #add(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length;
    if (this.bytes > this.#maxBytes) {
      throw new Error(`it is larger than ${this.#maxBytes} bytes`);
    }
    this.#hash.update(chunk);
    const file = await this.#opened();
    await file.writeFile(chunk);
  }

  async #finish(): Promise<void> {
    const file = await this.#opened();
    await file.sync();
    await this.#close();
  }

  /** Opened on demand: a stream that is never used is never closed. */
  #opened(): Promise<FileHandle> {
    this.#file ??= open(this.path, 'wx', 0o600);
    return this.#file;
  }

  async #close(): Promise<void> {
    const file = await this.#file;
    this.#file = undefined;
    await file?.close();
  }
}

/** Writes chunks to a new file. Throws Error, also if they are too long. */
export async function writeHashed(
  chunks: AsyncIterable<Buffer>,
  path: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<HashedFile> {
  const file = new HashedFile(path, maxBytes);
  try {
    await pipeline(chunks, file, { signal });
    return file;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function settle(work: Promise<void>, done: Done): void {
  work.then(
    () => done(),
    (error: Error) => done(error),
  );
}

const hexHash = /^[0-9a-f]{64}$/;

/** Parses a hash into the form used in comparisons and paths; undefined if the text is none. */
export function parseSha256(text: string): string | undefined {
  const lower = text.toLowerCase();
  return hexHash.test(lower) ? lower : undefined;
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

/** Largest file of a release, and largest program unpacked from it. */
export const maxProgramBytes = 512 * 1024 * 1024;
