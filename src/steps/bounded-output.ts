import { StringDecoder } from 'node:string_decoder';
import { withoutBrokenEnd, withoutBrokenStart } from '../config/whole-words.js';

/** In characters, for the beginning and the end each. */
const maxKept = 256 * 1024;

/** What a process writes, with the middle left out if it is too much. */
export class BoundedOutput {
  readonly #decoder = new StringDecoder('utf8');
  #start = '';
  #end = '';
  #leftOut = 0;

  add(bytes: Buffer): void {
    this.#addText(this.#decoder.write(bytes));
  }

  /** Without the line breaks at its end, as in `$(...)`. */
  get text(): string {
    const end = (this.#end + this.#decoder.end()).replace(/[\r\n]+$/, '');
    if (this.#end === '') return (this.#start + end).replace(/[\r\n]+$/, '');
    if (this.#leftOut === 0) return this.#start + end;
    const [head, tail] = [withoutBrokenEnd(this.#start), withoutBrokenStart(end)];
    const broken = this.#start.length - head.length + (end.length - tail.length);
    return `${head}\n[... ${this.#leftOut + broken} characters left out ...]\n${tail}`;
  }

  get isTruncated(): boolean {
    return this.#leftOut > 0;
  }

  #addText(text: string): void {
    const room = maxKept - this.#start.length;
    if (room > 0) this.#start += text.slice(0, room);
    if (text.length <= room) return;
    this.#end += text.slice(Math.max(0, room));
    // Cut now and then only: each cut copies what is kept.
    if (this.#end.length <= 2 * maxKept) return;
    this.#leftOut += this.#end.length - maxKept;
    this.#end = this.#end.slice(-maxKept);
  }
}
