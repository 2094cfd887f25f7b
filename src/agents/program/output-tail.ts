import { dropPartialFirstWord } from '../../base/text.js';

/** So many small pieces are joined before they take more room than what they hold. */
const maxPieces = 1_000;

/** Keeps the end of a stream of text. */
export class OutputTail {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether its beginning was given up. */
  get isCut(): boolean {
    return this.#isCut;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    if (this.#length > 2 * this.#maxBytes || this.#pieces.length > maxPieces) this.#join();
  }

  text(): string {
    this.#join();
    const bytes = this.#pieces[0] ?? Buffer.alloc(0);
    if (!this.#isCut) return bytes.toString('utf8');
    const lineEnd = bytes.indexOf('\n');
    // A whole line is a good start, unless it costs most of the rest.
    if (lineEnd !== -1 && lineEnd < bytes.length / 2) return bytes.toString('utf8', lineEnd + 1);
    return dropPartialFirstWord(bytes.toString('utf8', startOfCharacter(bytes)));
  }

  #join(): void {
    const all = Buffer.concat(this.#pieces);
    if (all.length > this.#maxBytes) this.#isCut = true;
    // A copy: a slice would keep all of it in memory.
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#maxBytes)));
    this.#pieces = [kept];
    this.#length = kept.length;
  }
}

function startOfCharacter(bytes: Buffer): number {
  let start = 0;
  while (isWithinCharacter(bytes[start])) start++;
  return start;
}

/** Of a character in UTF-8 every byte but the first. */
function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
