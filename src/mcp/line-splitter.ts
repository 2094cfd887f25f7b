import { StringDecoder } from 'node:string_decoder';

/** In characters or bytes of one message: far more than any server sends on purpose. */
export const maxMessageLength = 256 * 1024 * 1024;

interface LineRules {
  /** What ends a line: with the flag `g`. */
  ends: RegExp;
  /** In characters: what never ends must not fill the memory. */
  maxLength: number;
}

/** Takes lines out of a stream of text that comes in pieces. */
export class LineSplitter {
  readonly #decoder = new StringDecoder('utf8');
  readonly #ends: RegExp;
  readonly #maxLength: number;
  /** Pieces of the line that is not complete yet: joined only at its end, however long it gets. */
  #pieces: string[] = [];
  #length = 0;
  #endsInCarriageReturn = false;

  constructor({ ends, maxLength }: LineRules) {
    this.#ends = ends;
    this.#maxLength = maxLength;
  }

  /** The lines that a chunk completes. Throws LineTooLongError. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let text = this.#decoder.write(chunk);
    // A line feed that belongs to the carriage return at the end of the last chunk.
    if (this.#endsInCarriageReturn && text.length > 0) {
      this.#endsInCarriageReturn = false;
      if (text.startsWith('\n')) text = text.slice(1);
    }
    let start = 0;
    this.#ends.lastIndex = 0;
    for (let found = this.#ends.exec(text); found !== null; found = this.#ends.exec(text)) {
      this.#keep(text.slice(start, found.index));
      lines.push(this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join(''));
      this.#pieces = [];
      this.#length = 0;
      start = this.#ends.lastIndex;
      this.#endsInCarriageReturn = found[0] === '\r' && start === text.length;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return lines;
  }

  /** What stands after the last line end. */
  end(): string {
    this.#keep(this.#decoder.end());
    const rest = this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return rest;
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#maxLength) {
      this.#pieces = [];
      this.#length = 0;
      throw new LineTooLongError(this.#maxLength);
    }
    this.#pieces.push(piece);
  }
}

export class LineTooLongError extends Error {
  constructor(maxLength: number) {
    super(`a message is longer than ${maxLength} characters`);
    this.name = 'LineTooLongError';
  }
}
