import {
  countTokens as countMergedTokens,
  setMergeCacheSize,
} from 'gpt-tokenizer/encoding/cl100k_base';
import { CL100K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

/**
 * The work of merging bytes into tokens grows with the square of a pre-token's length: one letter
 * repeated 100,000 times takes 8 seconds. Nothing that people write comes near this. A power of
 * two, as there are tokens for 2, 4, 8 and so on of one sign: then a cut does not go through one.
 */
const longestPreToken = 512;

/** In characters. Greedy patterns remember every character they pass: more could be too much. */
const windowLength = 65_536;

/** A copy: the library uses its own one too, and a pattern like this remembers where it stopped. */
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

/** Counts of words, keys and numbers, which come again and again: with it counting is three times as fast. */
const knownCounts = new Map<string, number>();

/** Bounds the memory that `known` takes, in characters of two bytes: about 20 MB. */
const maxKnownSize = 10_000_000;
let knownSize = 0;

/** What an entry takes besides its text. */
const entrySize = 60;

// The library's own cache knows no bound for the length of what it keeps.
setMergeCacheSize(0);

/**
 * How many tokens of cl100k_base a text has. What looks like a special token (`<|endoftext|>`) is
 * text like any other: that is how models are given the results of tools.
 */
export function countTokens(text: string): number {
  let count = 0;
  forEachPreToken(text, (preToken) => {
    count += countPreToken(preToken);
  });
  return count;
}

function countPreToken(preToken: string): number {
  const knownCount = knownCounts.get(preToken);
  if (knownCount !== undefined) return knownCount;
  // Special tokens are words between signs: they never get here in one piece.
  const count = countMergedTokens(preToken);
  remember(preToken, count);
  return count;
}

function remember(preToken: string, count: number): void {
  if (knownSize > maxKnownSize) {
    // Simpler than to find out which ones are still in use, and those are back at once.
    knownCounts.clear();
    knownSize = 0;
  }
  knownCounts.set(copySubstring(preToken), count);
  knownSize += preToken.length + entrySize;
}

/** Otherwise a single word would keep the whole text that it stood in. */
function copySubstring(substring: string): string {
  if (substring.length < shortestSharedSubstring) return substring;
  return Buffer.from(substring, 'utf16le').toString('utf16le');
}
