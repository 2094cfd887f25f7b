import { StringDecoder } from 'node:string_decoder';

/** Takes the lines out of what a program writes, in whatever pieces it comes. */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxLength: number;
  readonly #take: (line: string, isCut: boolean) => void;
  /** Of the line that is not complete yet: joined only at its end, however long it gets. */
  #pieces: string[] = [];
  #length = 0;

  /** A longer line is cut at the maximum, in characters, and said to be. */
  constructor(maxLength: number, take: (line: string, isCut: boolean) => void) {
    this.#maxLength = maxLength;
    this.#take = take;
  }

  push(chunk: Buffer): void {
    this.#add(this.#decoder.write(chunk));
  }

  /** Takes what has no line end. */
  end(): void {
    this.#add(this.#decoder.end());
    if (this.#length > 0) this.#endLine();
  }

  #add(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.#keep(text.slice(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#keep(text.slice(start));
  }

  #keep(piece: string): void {
    const kept = piece.slice(0, Math.max(0, this.#maxLength - this.#length));
    if (kept !== '') this.#pieces.push(kept);
    this.#length += piece.length;
  }

  #endLine(): void {
    const line = this.#pieces.join('');
    const isCut = this.#length > this.#maxLength;
    this.#pieces = [];
    this.#length = 0;
    this.#take(line.endsWith('\r') ? line.slice(0, -1) : line, isCut);
  }
}
