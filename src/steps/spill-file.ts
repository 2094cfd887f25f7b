import { closeSync, openSync, writeSync } from 'node:fs';

/** In characters. More than this of one output helps nobody. */
const maxLength = 64 * 1024 * 1024;

/** Takes what does not fit into memory; the first failure ends it, and then there is no file. */
export class SpillFile {
  readonly #path: string;
  #file: number | undefined;
  #room = maxLength;
  #hasFailed = false;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** What comes after the end is left out: a process in the background may go on writing. */
  add(text: string): void {
    if (this.#isClosed || this.#hasFailed || this.#room === 0) return;
    const fitting = text.slice(0, this.#room);
    this.#room -= fitting.length;
    this.#write(this.#room === 0 ? `${fitting} …` : fitting);
  }

  /** Where it is, if it could be written. */
  close(): string | undefined {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#isClosed = true;
    return this.#hasFailed ? undefined : this.#path;
  }

  /** At once: whoever floods us waits for the disk, and memory stays flat. */
  #write(text: string): void {
    try {
      this.#file ??= openSync(this.#path, 'w', 0o600);
      const bytes = Buffer.from(text);
      // A full disk takes a part of it first, and says so only then.
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch {
      // The beginning and the end are kept in any case.
      this.#hasFailed = true;
    }
  }
}
