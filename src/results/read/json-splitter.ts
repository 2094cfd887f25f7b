import { constants } from 'node:buffer';

/** A part of a large JSON document. */
export interface JsonPart {
  /** Key of the member that the part is of; empty if the document is an array. */
  key: string;
  /** Index of the part, if it is an element of an array that was split. */
  index: number | undefined;
  /** The text of the value. It is not parsed, so it may be invalid JSON. */
  text: string;
  /** Bytes of the part in the document. */
  place: BytePlace;
}

export interface BytePlace {
  start: number;
  length: number;
}

/** The document is cut off, or its outermost brackets and commas do not match. */
export class MalformedJsonError extends Error {
  constructor(offset: number, reason: string) {
    super(`${reason} (byte ${offset + 1})`);
    this.name = 'MalformedJsonError';
  }
}

/**
 * Cuts a JSON document into its parts, chunk by chunk: the elements of an array, or the members of
 * an object, of which those with certain keys are cut further if they are arrays. Only one part is
 * in memory at a time, and nesting takes no memory at all.
 */
export class JsonSplitter {
  /** Keys of the arrays that were split; an empty one has no parts. */
  readonly lists = new Set<string>();
  readonly #splitKeys: ReadonlySet<string>;
  /** Earlier bytes of a part that continues in the next chunk. */
  #pieces: Buffer[] = [];
  #kept = 0;
  /** Where the part starts in the current chunk; -1 between parts. */
  #start = -1;
  /** Place of the current chunk in the document. */
  #offset = 0;
  #depth = 0;
  /** Open brackets outside of parts: that of the document, and of a split array. */
  #openBrackets: number[] = [];
  #key: string | undefined;
  #index = 0;
  /** What may come next, between parts. */
  #expects: 'document' | 'part-or-end' | 'part' | 'separator' | 'nothing' = 'document';
  #isInString = false;
  #isEscaped = false;

  constructor(splitKeys: ReadonlySet<string>) {
    this.#splitKeys = splitKeys;
  }

  /** The parts that end in this chunk. */
  *push(chunk: Buffer): Generator<JsonPart> {
    for (let at = this.#offset === 0 ? measureByteOrderMark(chunk) : 0; at < chunk.length; at++) {
      if (this.#isInString) at = this.#skipString(chunk, at);
      if (this.#depth > 0) at = this.#skipNested(chunk, at);
      const byte = chunk[at];
      if (byte === undefined) break;
      if (byte === comma || byte === closeBrace || byte === closeBracket) {
        if (this.#isInPart) yield this.#endPart(chunk, at);
        if (byte === comma) this.#separate(at);
        else this.#close(byte, at);
      } else if (byte === colon && this.#isInObject && this.#key === undefined) {
        this.#key = this.#keyText(chunk, at);
      } else if (!isSpace(byte)) {
        this.#goInto(byte, at);
      }
    }
    if (this.#isInPart) this.#keepRest(chunk);
    this.#offset += chunk.length;
  }

  /** Throws if the document is not complete. */
  end(): void {
    if (this.#expects !== 'nothing')
      throw new MalformedJsonError(this.#offset, 'it ends too early');
  }

  get #isInPart(): boolean {
    return this.#start !== -1;
  }

  get #isInObject(): boolean {
    return this.#openBrackets.at(-1) === openBrace;
  }

  /** Keeps a copy of the rest of a chunk, as the reader may reuse the memory of the chunk. */
  #keepRest(chunk: Buffer): void {
    const rest = Buffer.from(chunk.subarray(this.#start));
    this.#pieces.push(rest);
    this.#kept += rest.length;
    this.#start = 0;
    if (this.#kept > constants.MAX_STRING_LENGTH) {
      throw this.#malformed(chunk.length, 'a value is too large to be read');
    }
  }

  /** Finds the end of the string at a place, or of the chunk. Fast, as most of a document is strings. */
  #skipString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    for (;;) {
      const close = chunk.indexOf(quote, at);
      const end = close === -1 ? chunk.length : close;
      this.#isEscaped = countBackslashesBefore(chunk, at, end) % 2 === 1;
      if (close === -1) return end;
      at = close + 1;
      if (this.#isEscaped) continue;
      this.#isInString = false;
      return at;
    }
  }

  /** Finds the end of the nested value at a place, or of the chunk. Nearly every byte is in one. */
  #skipNested(chunk: Buffer, from: number): number {
    let depth = this.#depth;
    let at = from;
    while (at < chunk.length && depth > 0) {
      const byte = chunk[at];
      at += 1;
      if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) depth -= 1;
      else if (byte === quote) {
        this.#isInString = true;
        at = this.#skipString(chunk, at);
      }
    }
    this.#depth = depth;
    return at;
  }

  /** Handles a byte that starts or continues a part, or opens the document or a split array. */
  #goInto(byte: number, at: number): void {
    const isBracket = byte === openBrace || byte === openBracket;
    if (!this.#isInPart) {
      if (this.#expects === 'nothing') throw this.#malformed(at, 'something follows its end');
      if (this.#expects === 'separator') throw this.#malformed(at, 'a comma is missing');
      if (this.#expects === 'document' && !isBracket) {
        throw this.#malformed(at, 'expected an object or an array');
      }
      if (this.#opensParts(byte)) {
        if (this.#key !== undefined) this.lists.add(this.#key);
        this.#openBrackets.push(byte);
        this.#expects = 'part-or-end';
        this.#index = 0;
        return;
      }
      this.#start = at;
    }
    if (byte === quote) this.#isInString = true;
    else if (isBracket) this.#depth += 1;
  }

  #opensParts(byte: number): boolean {
    if (this.#expects === 'document') return true;
    const isValue = this.#isInObject && this.#key !== undefined;
    return byte === openBracket && isValue && this.#splitKeys.has(this.#key ?? '');
  }

  #separate(at: number): void {
    if (this.#expects !== 'separator') throw this.#malformed(at, 'a value is missing');
    this.#expects = 'part';
  }

  #close(byte: number, at: number): void {
    const open = this.#openBrackets.pop();
    const fits = byte === closeBrace ? open === openBrace : open === openBracket;
    if (!fits) throw this.#malformed(at, 'a bracket too many');
    const isMissing = this.#expects === 'part' || (byte === closeBrace && this.#key !== undefined);
    if (isMissing) throw this.#malformed(at, 'a value is missing');
    this.#key = undefined;
    this.#expects = this.#openBrackets.length === 0 ? 'nothing' : 'separator';
  }

  #endPart(chunk: Buffer, end: number): JsonPart {
    const bytes = this.#takeBytes(chunk, end);
    const isElement = !this.#isInObject;
    if (!isElement && this.#key === undefined) throw this.#malformed(end, 'a value is missing');
    const part = {
      key: this.#key ?? '',
      index: isElement ? this.#index : undefined,
      text: bytes.toString('utf8'),
      place: { start: this.#offset + end - bytes.length, length: bytes.length },
    };
    if (isElement) this.#index += 1;
    else this.#key = undefined;
    this.#expects = 'separator';
    return part;
  }

  #keyText(chunk: Buffer, end: number): string {
    const text = this.#isInPart ? this.#takeBytes(chunk, end).toString('utf8') : '';
    try {
      const key: unknown = JSON.parse(text);
      if (typeof key === 'string') return key;
    } catch {
      // Invalid JSON is no key either.
    }
    throw this.#malformed(end, 'expected a key');
  }

  #takeBytes(chunk: Buffer, end: number): Buffer {
    const last = chunk.subarray(this.#start, end);
    const bytes = this.#pieces.length > 0 ? Buffer.concat([...this.#pieces, last]) : last;
    this.#pieces = [];
    this.#kept = 0;
    this.#start = -1;
    return bytes;
  }

  #malformed(at: number, reason: string): MalformedJsonError {
    return new MalformedJsonError(this.#offset + at, reason);
  }
}

function countBackslashesBefore(chunk: Buffer, from: number, end: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === backslash) at--;
  return end - at;
}

/** Some programs begin a file with a mark that says that it is UTF-8. */
function measureByteOrderMark(chunk: Buffer): number {
  return chunk.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const byteOrderMark = Buffer.from('\ufeff');
const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
