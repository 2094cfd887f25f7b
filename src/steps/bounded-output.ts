import { closeSync, openSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { dropPartialFirstWord, dropPartialLastWord } from '../base/text.js';
import type { StepResult } from './step.js';

/** How much of the beginning and of the end is kept, in characters each. */
const maxKept = 256 * 1024;

/** The output of a process or a server; of a long one only the beginning and the end are kept. */
export class BoundedOutput {
  readonly #decoder: Decoder;
  readonly #spill: SpillFile | undefined;
  #start = '';
  #end = '';
  #leftOut = 0;

  /** With a path, an output that is too long is written to that file as a whole. */
  constructor(spillTo?: string, decoder: Decoder = new StringDecoder('utf8')) {
    this.#decoder = decoder;
    if (spillTo !== undefined) this.#spill = new SpillFile(spillTo);
  }

  add(bytes: Buffer): void {
    this.#addText(this.#decoder.write(bytes));
  }

  /** The text without line breaks at its end, as in `$(...)`. */
  get text(): string {
    const rest = this.#end + this.#decoder.end();
    if (this.#end === '') return trimLineBreaks(this.#start + rest);
    if (this.#leftOut === 0) return this.#start + trimLineBreaks(rest);
    // When it was last cut depends on the chunks; what is kept must not.
    const end = trimLineBreaks(rest.slice(-maxKept));
    const leftOut = this.#leftOut + Math.max(0, rest.length - maxKept);
    const [head, tail] = [dropPartialLastWord(this.#start), dropPartialFirstWord(end)];
    const broken = this.#start.length - head.length + (end.length - tail.length);
    return `${head}\n[... ${leftOut + broken} characters left out ...]\n${tail}`;
  }

  get isTruncated(): boolean {
    return this.#leftOut > 0;
  }

  /** Returns the file with the whole output, if something was left out. Later output is not in it. */
  closeSpill(): string | undefined {
    const path = this.#spill?.close();
    return this.isTruncated ? path : undefined;
  }

  #addText(text: string): void {
    if (this.#leftOut > 0) this.#spill?.add(text);
    const room = maxKept - this.#start.length;
    if (room > 0) this.#start += text.slice(0, room);
    if (text.length <= room) return;
    this.#end += text.slice(Math.max(0, room));
    // Cut only now and then, as each cut copies what is kept.
    if (this.#end.length <= 2 * maxKept) return;
    if (this.#leftOut === 0) this.#spill?.add(this.#start + this.#end);
    this.#leftOut += this.#end.length - maxKept;
    this.#end = this.#end.slice(-maxKept);
  }
}

/** Removes line breaks at the end. A regular expression would be quadratic in long runs of them. */
function trimLineBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

/** Decodes bytes to text, chunk by chunk. */
interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** Longest file with a whole output, in characters; more than this is of no help. */
const maxSpillLength = 64 * 1024 * 1024;

/** A file for an output that is too long for memory. After the first failed write there is none. */
class SpillFile {
  readonly #path: string;
  #file: number | undefined;
  #room = maxSpillLength;
  #hasFailed = false;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /** Ignored after `close`: a process in the background may go on writing. */
  add(text: string): void {
    if (this.#isClosed || this.#hasFailed || this.#room === 0) return;
    const fitting = text.slice(0, this.#room);
    this.#room -= fitting.length;
    this.#write(this.#room === 0 ? `${fitting} …` : fitting);
  }

  /** Returns the path, if the file could be written. */
  close(): string | undefined {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#isClosed = true;
    return this.#hasFailed ? undefined : this.#path;
  }

  /** Writes synchronously: a process that floods its output waits for the disk, and memory stays flat. */
  #write(text: string): void {
    try {
      this.#file ??= openSync(this.#path, 'w', 0o600);
      const bytes = Buffer.from(text);
      // A full disk accepts a part first, and reports the error only then.
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    } catch {
      // The beginning and the end are kept in any case.
      this.#hasFailed = true;
    }
  }
}

/** Collects the outputs of a step, the names of those that were cut, and the files with the whole. */
export function collectOutputs(
  outputs: Readonly<Record<string, BoundedOutput>>,
): Pick<StepResult, 'outputs' | 'truncated' | 'spilled'> {
  const entries = Object.entries(outputs);
  const truncated = entries.filter(([, output]) => output.isTruncated).map(([name]) => name);
  const spilled = entries.flatMap(([name, output]) => {
    const path = output.closeSpill();
    return path === undefined ? [] : [[name, path] as const];
  });
  return {
    outputs: Object.fromEntries(entries.map(([name, output]) => [name, output.text])),
    ...(truncated.length > 0 && { truncated }),
    ...(spilled.length > 0 && { spilled: Object.fromEntries(spilled) }),
  };
}
