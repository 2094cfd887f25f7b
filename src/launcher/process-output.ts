import { fstatSync, writeSync } from 'node:fs';
import type { Output, TerminalSize } from '../cli/terminal/output.js';

/** The reader went away (`proctor list | head -1`), or the terminal did. */
const readerGone = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/**
 * Standard output or standard error, written to directly: setting up Node's stream takes longer
 * than most commands have to say. The stream comes in when the file descriptor does not block.
 *
 * A reader that has seen enough changes nothing: the rest of the output is dropped, the work goes
 * on, and the exit code stays what it would have been, so that `proctor check | head` can neither
 * stop an evaluation nor hide that it failed.
 */
export class ProcessOutput implements Output {
  /** Why output was lost that should have been kept (a full disk): that is no success. */
  failure: string | undefined;
  readonly #descriptor: 1 | 2;
  #stream: NodeJS.WriteStream | undefined;
  #isReaderGone = false;

  constructor(descriptor: 1 | 2) {
    this.#descriptor = descriptor;
  }

  get isTerminal(): boolean {
    try {
      // Asked first because node:tty is slow to load, and pipes and files are no devices.
      if (!fstatSync(this.#descriptor).isCharacterDevice()) return false;
    } catch {
      return false;
    }
    return process.getBuiltinModule('node:tty').isatty(this.#descriptor);
  }

  size(): TerminalSize | undefined {
    if (!this.isTerminal) return undefined;
    // Node's stream keeps the size up to date; only a command that redraws asks for it.
    const { columns, rows } = this.#descriptor === 1 ? process.stdout : process.stderr;
    return columns > 0 && rows > 0 ? { columns, rows } : undefined;
  }

  write(text: string): void {
    if (this.#isReaderGone || this.failure !== undefined) return;
    if (this.#stream !== undefined) {
      this.#stream.write(text);
      return;
    }
    const bytes = Buffer.from(text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      if (failure.code === 'EAGAIN') this.#goOnWithStream(bytes.subarray(written));
      else this.#fail(failure);
    }
  }

  /** Calls back when everything is on its way, or lost for good. */
  afterLastWrite(callback: () => void): void {
    if (this.#stream === undefined || this.#isReaderGone || this.failure !== undefined) callback();
    else this.#stream.write('', callback);
  }

  #goOnWithStream(rest: Buffer): void {
    this.#stream = this.#descriptor === 1 ? process.stdout : process.stderr;
    this.#stream.on('error', (error) => this.#fail(error));
    this.#stream.write(rest);
  }

  #fail({ code = '', message }: NodeJS.ErrnoException): void {
    if (readerGone.has(code)) this.#isReaderGone = true;
    else this.failure ??= message;
  }
}
