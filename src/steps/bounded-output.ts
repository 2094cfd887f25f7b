import { closeSync, openSync, writeSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { dropPartialFirstWord, dropPartialLastWord } from '../base/text.js';
import type { StepResult } from './step.js';

/** In characters, for the beginning and the end each. */
const maxKept = 256 * 1024;

/** What a process or a server writes, with the middle left out if it is too much. */
export class BoundedOutput {
  readonly #decoder: Decoder;
  readonly #spill: SpillFile | undefined;
  #start = '';
  #end = '';
  #leftOut = 0;

  /** With a path, what is too much is in that file, as a whole. */
  constructor(spillTo?: string, decoder: Decoder = new StringDecoder('utf8')) {
    this.#decoder = decoder;
    if (spillTo !== undefined) this.#spill = new SpillFile(spillTo);
  }

  add(bytes: Buffer): void {
    this.#addText(this.#decoder.write(bytes));
  }

  /** Without the line breaks at its end, as in `$(...)`. */
  get text(): string {
    const rest = this.#end + this.#decoder.end();
    if (this.#end === '') return trimLineBreaks(this.#start + rest);
    if (this.#leftOut === 0) return this.#start + trimLineBreaks(rest);
    // When it was last cut depends on the pieces it came in, and what is kept must not.
    const end = trimLineBreaks(rest.slice(-maxKept));
    const leftOut = this.#leftOut + Math.max(0, rest.length - maxKept);
    const [head, tail] = [dropPartialLastWord(this.#start), dropPartialFirstWord(end)];
    const broken = this.#start.length - head.length + (end.length - tail.length);
    return `${head}\n[... ${leftOut + broken} characters left out ...]\n${tail}`;
  }

  get isTruncated(): boolean {
    return this.#leftOut > 0;
  }

  /** The file with the whole, if something was left out. What comes after this is not in it. */
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
    // Cut now and then only: each cut copies what is kept.
    if (this.#end.length <= 2 * maxKept) return;
    if (this.#leftOut === 0) this.#spill?.add(this.#start + this.#end);
    this.#leftOut += this.#end.length - maxKept;
    this.#end = this.#end.slice(-maxKept);
  }
}

/** At its end. A pattern would try again from every line break of a long run that ends elsewhere. */
function trimLineBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

/** Makes text of bytes, a part at a time. */
interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** In characters. More than this of one output helps nobody. */
const maxSpillLength = 64 * 1024 * 1024;

/** Takes what does not fit into memory; the first failure ends it, and then there is no file. */
class SpillFile {
  readonly #path: string;
  #file: number | undefined;
  #room = maxSpillLength;
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

/** Outputs as a step tells them, with those that were cut, and where the whole is. */
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
