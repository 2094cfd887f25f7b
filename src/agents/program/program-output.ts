import { StringDecoder } from 'node:string_decoder';
import { dropPartialFirstWord, truncate } from '../../base/text.js';
import type { AgentStep } from '../../journal/step-events.js';

/** Splits the output of a program into lines, in whatever chunks it arrives. */
export class OutputLines {
  readonly #decoder = new StringDecoder('utf8');
  readonly #maxLength: number;
  readonly #take: (line: string, isCut: boolean) => void;
  /** Pieces of the incomplete line, joined only at its end: joining each time would be quadratic. */
  #pieces: string[] = [];
  #length = 0;

  /** A line longer than the maximum, in characters, is cut, and `take` is called with `isCut`. */
  constructor(maxLength: number, take: (line: string, isCut: boolean) => void) {
    this.#maxLength = maxLength;
    this.#take = take;
  }

  push(chunk: Buffer): void {
    this.#add(this.#decoder.write(chunk));
  }

  /** Takes a last line without a line end. */
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

const maxLoggedLine = 10_000;
/** How much of a log is reported, in characters, as it goes into the journal. */
const maxReported = 1024 * 1024;
/** Least cost of a reported line: each is an event of the journal, however short it is. */
const leastCost = 100;
const tailBytes = 16 * 1024;

/** The stderr of an agent: it is reported line by line, and its end is kept. */
export class AgentLog {
  readonly #report: (step: AgentStep) => void;
  readonly #tail = new OutputTail(tailBytes);
  // One character more than is reported shows that the line was longer.
  readonly #lines = new OutputLines(maxLoggedLine + 1, (line) => this.#takeLine(line));
  #reported = 0;

  constructor(report: (step: AgentStep) => void) {
    this.#report = report;
  }

  push(chunk: Buffer): void {
    this.#tail.push(chunk);
    if (this.#reported <= maxReported) this.#lines.push(chunk);
  }

  /** The end of the log. */
  end(): string {
    this.#lines.end();
    return this.#tail.markedText().trimEnd();
  }

  #takeLine(line: string): void {
    if (line.trim() === '' || this.#reported > maxReported) return;
    this.#reported += Math.max(line.length, leastCost);
    this.#report({ kind: 'log', text: truncate(line, maxLoggedLine) });
    if (this.#reported > maxReported) {
      this.#report({ kind: 'log', text: 'The log continues; the rest is left out here.' });
    }
  }
}

/** So many small chunks are joined, before their overhead exceeds their content. */
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

  /** Whether its beginning was dropped. */
  get isCut(): boolean {
    return this.#isCut;
  }

  push(chunk: Buffer): void {
    this.#pieces.push(chunk);
    this.#length += chunk.length;
    if (this.#length > 2 * this.#maxBytes || this.#pieces.length > maxPieces) this.#join();
  }

  /** The end of the text, with a mark if its beginning was dropped. */
  markedText(): string {
    const text = this.text();
    return this.#isCut ? `… ${text}` : text;
  }

  text(): string {
    this.#join();
    const bytes = this.#pieces[0] ?? Buffer.alloc(0);
    if (!this.#isCut) return bytes.toString('utf8');
    const lineEnd = bytes.indexOf('\n');
    // Start with a whole line, unless that would drop more than half of the text.
    if (lineEnd !== -1 && lineEnd < bytes.length / 2) return bytes.toString('utf8', lineEnd + 1);
    return dropPartialFirstWord(bytes.toString('utf8', startOfCharacter(bytes)));
  }

  #join(): void {
    const all = Buffer.concat(this.#pieces);
    if (all.length > this.#maxBytes) this.#isCut = true;
    // A copy, as a slice would keep the whole buffer in memory.
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

/** Whether a byte continues a UTF-8 character. */
function isWithinCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
