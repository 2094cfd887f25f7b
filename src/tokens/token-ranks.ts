/** A rank that no token has. */
export const noRank = 0x7fff_ffff;

const lineFeed = 0x0a;
const space = 0x20;
const padding = 0x3d;

/** The value of each base64 digit, by its character code. */
const digitValues = new Uint8Array(128);
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (let value = 0; value < digits.length; value++) digitValues[digits.charCodeAt(value)] = value;

/**
 * The tokens of an encoding and their ranks: the lower the rank of a token, the earlier its two halves are
 * merged. All bytes are in one array, with a hash table over it: with JavaScript strings in a map for the
 * hundred thousand tokens of cl100k_base, the thread that counts took 40 MB; so it takes 14.
 */
export class TokenRanks {
  /** The bytes of all tokens, one after the other in the order of their ranks. */
  readonly #bytes: Uint8Array;
  /** Where the token of each rank begins in `#bytes`; it ends where the next one begins. */
  readonly #starts: Int32Array;
  /** Open addressing: a rank, or `noRank` where no token is. */
  readonly #slots: Int32Array;

  /** Takes the content of a `.tiktoken` file: lines of a token in base64 and its rank, from 0 on. */
  constructor(tiktoken: Uint8Array) {
    const tokens = countLines(tiktoken);
    this.#bytes = new Uint8Array(tiktoken.length);
    this.#starts = new Int32Array(tokens + 1);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(tokens * 2))).fill(noRank);
    this.#bytes = this.#bytes.slice(0, this.#readTokens(tiktoken));
    for (let rank = 0; rank < tokens; rank++) this.#insert(rank);
  }

  /** The rank of the token with the bytes from `start` to `end`, or `noRank`. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashBytes(bytes, start, end) & mask;
    for (;;) {
      const rank = slots[slot] as number;
      if (rank === noRank || this.#isToken(rank, bytes, start, end)) return rank;
      slot = (slot + 1) & mask;
    }
  }

  #isToken(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const tokenStart = this.#starts[rank] as number;
    if ((this.#starts[rank + 1] as number) - tokenStart !== end - start) return false;
    for (let index = start; index < end; index++) {
      if (this.#bytes[tokenStart + index - start] !== bytes[index]) return false;
    }
    return true;
  }

  /** Decodes the file into `#bytes` and `#starts`; returns how many bytes there are. */
  #readTokens(tiktoken: Uint8Array): number {
    const bytes = this.#bytes;
    let length = 0;
    let rank = 0;
    let position = 0;
    while (position < tiktoken.length) {
      this.#starts[rank++] = length;
      let bits = 0;
      let bitCount = 0;
      for (; tiktoken[position] !== space; position++) {
        const digit = tiktoken[position] as number;
        if (digit === padding) continue;
        bits = ((bits << 6) | (digitValues[digit] as number)) & 0xffff;
        bitCount += 6;
        if (bitCount < 8) continue;
        bitCount -= 8;
        bytes[length++] = bits >> bitCount;
      }
      // The ranks follow each other, so that they need not be read.
      position = tiktoken.indexOf(lineFeed, position) + 1;
    }
    this.#starts[rank] = length;
    return length;
  }

  #insert(rank: number): void {
    const mask = this.#slots.length - 1;
    const [start, end] = [this.#starts[rank] as number, this.#starts[rank + 1] as number];
    let slot = hashBytes(this.#bytes, start, end) & mask;
    while (this.#slots[slot] !== noRank) slot = (slot + 1) & mask;
    this.#slots[slot] = rank;
  }
}

/** With an index: an iterator was measured to take several times as long here. */
function countLines(text: Uint8Array): number {
  let lines = 0;
  for (let index = 0; index < text.length; index++) if (text[index] === lineFeed) lines++;
  return lines;
}

/** FNV-1a; its lower bits are mixed with the upper ones, as only those choose a slot. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  for (let index = start; index < end; index++) {
    hash = Math.imul(hash ^ (bytes[index] as number), 0x0100_0193);
  }
  return hash ^ (hash >>> 15);
}
