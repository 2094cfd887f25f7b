import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/**
 * The work of merging bytes into tokens grows with the square of a pre-token's length: one letter
 * repeated 100,000 times takes 8 seconds. Nothing that people write comes near this. A power of
 * two, as there are tokens for 2, 4, 8 and so on of one sign: then a cut does not go through one.
 */
const longestPreToken = 512;

/** In characters. Greedy patterns remember every character they pass: more could be too much. */
const windowLength = 65_536;

/** A pattern like this remembers where it stopped: so this is a copy. */
const preTokenPattern = new RegExp(CL100K_TOKEN_SPLIT_REGEX);

/**
 * Splits a text the way cl100k_base does before it looks for tokens, which never reach over such a
 * split. What is longer than `longestPreToken` is cut, and each cut can make the count wrong by a
 * token or so. Takes a visitor because a generator was measured to be a third slower.
 */
function forEachPreToken(text: string, visit: (preToken: string) => void): void {
  let windowStart = 0;
  while (windowStart < text.length) {
    const windowEnd = findCut(text, windowStart + windowLength);
    const window = text.slice(windowStart, windowEnd);
    let start = 0;
    while (start < window.length) {
      const end = findPreTokenEnd(window, start);
      // With more text it might be longer, unless this is all there is, or too long anyway.
      if (end === window.length && windowEnd < text.length && start > 0) break;
      while (end - start > longestPreToken) {
        const cut = findCut(window, start + longestPreToken);
        visit(window.slice(start, cut));
        start = cut;
      }
      visit(window.slice(start, end));
      start = end;
    }
    windowStart += start;
  }
}

/** Every character belongs to a pre-token, so that the next one begins where the last one ended. */
function findPreTokenEnd(text: string, start: number): number {
  preTokenPattern.lastIndex = start;
  // Not `exec`: it would make an array for each of millions of matches.
  preTokenPattern.test(text);
  return preTokenPattern.lastIndex;
}

/** At most `index`, and never between the two halves of a character. */
function findCut(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}

/** V8 copies shorter substrings, and lets longer ones point into the text they come from. */
const shortestSharedSubstring = 13;

/** In characters of two bytes: bounds the memory that known counts take, to about 4 MB. */
const maxKnownSize = 2_000_000;

/** What a known count takes besides its text. */
const entrySize = 60;

/**
 * Counts tokens of cl100k_base. What looks like a special token (`<|endoftext|>`) is text like any other:
 * that is how models are given the results of tools.
 */
export class Tokenizer {
  readonly #ranks: TokenRanks;
  /** The same words, keys and numbers come again and again: so counting is three times as fast. */
  readonly #knownCounts = new Map<string, number>();
  #knownSize = 0;
  /** The bytes of the pre-token that is being merged: at most three for a character. */
  readonly #bytes = new Uint8Array(3 * longestPreToken);
  /** Where its parts begin, and the rank that each would have if it were merged with the next. */
  readonly #parts = new Int32Array(3 * longestPreToken + 1);
  readonly #mergedRanks = new Int32Array(3 * longestPreToken + 1);
  readonly #encoder = new TextEncoder();

  /** Takes the content of the file `cl100k_base.tiktoken`. */
  constructor(tiktoken: Uint8Array) {
    this.#ranks = new TokenRanks(tiktoken);
  }

  /** How many tokens a text has. */
  count(text: string): number {
    let count = 0;
    forEachPreToken(text, (preToken) => {
      count += this.#countPreToken(preToken);
    });
    return count;
  }

  #countPreToken(preToken: string): number {
    const knownCount = this.#knownCounts.get(preToken);
    if (knownCount !== undefined) return knownCount;
    const { written } = this.#encoder.encodeInto(preToken, this.#bytes);
    const isToken = this.#ranks.find(this.#bytes, 0, written) !== noRank;
    const count = isToken ? 1 : this.#mergeBytes(written);
    this.#remember(preToken, count);
    return count;
  }

  /**
   * Merges the first bytes of `#bytes` as byte pair encoding does, and returns how many parts are left:
   * of all neighbours that form a token together, those with the lowest rank are merged, again and again.
   */
  #mergeBytes(length: number): number {
    const parts = this.#parts;
    const mergedRanks = this.#mergedRanks;
    let count = length;
    for (let index = 0; index <= length; index++) parts[index] = index;
    for (let index = 0; index < length; index++)
      mergedRanks[index] = this.#rankMerged(index, count);
    for (;;) {
      let first = 0;
      let lowestRank = noRank;
      for (let index = 0; index < count; index++) {
        const rank = mergedRanks[index] as number;
        if (rank >= lowestRank) continue;
        lowestRank = rank;
        first = index;
      }
      if (lowestRank === noRank) return count;
      parts.copyWithin(first + 1, first + 2, count + 1);
      mergedRanks.copyWithin(first + 1, first + 2, count);
      count--;
      mergedRanks[first] = this.#rankMerged(first, count);
      if (first > 0) mergedRanks[first - 1] = this.#rankMerged(first - 1, count);
    }
  }

  /** The rank of what a part and the next one, of so many, are together. */
  #rankMerged(part: number, count: number): number {
    if (part + 2 > count) return noRank;
    return this.#ranks.find(
      this.#bytes,
      this.#parts[part] as number,
      this.#parts[part + 2] as number,
    );
  }

  #remember(preToken: string, count: number): void {
    if (this.#knownSize > maxKnownSize) {
      // Simpler than to find out which ones are still in use, and those are back at once.
      this.#knownCounts.clear();
      this.#knownSize = 0;
    }
    this.#knownCounts.set(copySubstring(preToken), count);
    this.#knownSize += preToken.length + entrySize;
  }
}

/** Otherwise a single word would keep the whole text that it stood in. */
function copySubstring(substring: string): string {
  if (substring.length < shortestSharedSubstring) return substring;
  return Buffer.from(substring, 'utf16le').toString('utf16le');
}

/** A rank that no token has. */
const noRank = 0x7fff_ffff;

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
class TokenRanks {
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
