import { StringDecoder } from 'node:string_decoder';
import { dropPartialFirstWord, dropPartialLastWord } from '../base/text.js';
import { SpillFile } from './spill-file.js';

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
    if (this.#end === '') return withoutLineBreaks(this.#start + rest);
    if (this.#leftOut === 0) return this.#start + withoutLineBreaks(rest);
    // When it was last cut depends on the pieces it came in, and what is kept must not.
    const end = withoutLineBreaks(rest.slice(-maxKept));
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
function withoutLineBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end -= 1;
  return text.slice(0, end);
}

/** Makes text of bytes, a part at a time. */
interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}
