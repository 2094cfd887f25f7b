import { truncate } from '../base/text.js';

/** In characters of the line that is told. */
const maxLength = 200;
/** After so many lines nobody expects a message any more. */
const maxLines = 100_000;

/** Lines of an extension that are no messages, or answer nothing, since its last good answer. */
export class Noise {
  #first: string | undefined;
  #lines = 0;

  add(redact: (text: string) => string, line: string): void {
    this.#lines += 1;
    this.#first ??= truncate(redact(line), maxLength);
  }

  /** It has found its way: what it said before explains nothing any more. */
  clear(): void {
    this.#first = undefined;
    this.#lines = 0;
  }

  get isTooMuch(): boolean {
    return this.#lines > maxLines;
  }

  /** To go on a sentence with: it may be why an answer did not come. */
  get told(): string {
    return this.#first === undefined
      ? ''
      : `; it wrote a line that answers nothing: ${this.#first}`;
  }
}
