import {
  countTokens as countMergedTokens,
  setMergeCacheSize,
} from 'gpt-tokenizer/encoding/cl100k_base';
import { forEachPreToken } from './pre-tokens.js';

/** V8 copies shorter substrings, and lets longer ones point into the text they come from. */
const shortestSharedSubstring = 13;

/** The same words, keys and numbers come again and again: so counting is three times as fast. */
const known = new Map<string, number>();

/** Bounds the memory that `known` takes, in characters of two bytes: about 20 MB. */
const mostKnown = 10_000_000;
let sizeOfKnown = 0;

/** What an entry takes besides its text. */
const sizeOfEntry = 60;

// The library's own cache knows no bound for the length of what it keeps.
setMergeCacheSize(0);

/**
 * How many tokens of cl100k_base a text has. What looks like a special token (`<|endoftext|>`) is
 * text like any other: that is how models are given the results of tools.
 */
export function countTokens(text: string): number {
  let count = 0;
  forEachPreToken(text, (preToken) => {
    count += countOfPreToken(preToken);
  });
  return count;
}

function countOfPreToken(preToken: string): number {
  const knownCount = known.get(preToken);
  if (knownCount !== undefined) return knownCount;
  // Special tokens are words between signs: they never get here in one piece.
  const count = countMergedTokens(preToken);
  remember(preToken, count);
  return count;
}

function remember(preToken: string, count: number): void {
  if (sizeOfKnown > mostKnown) {
    // Simpler than to find out which ones are still in use, and those are back at once.
    known.clear();
    sizeOfKnown = 0;
  }
  known.set(ownCopyOf(preToken), count);
  sizeOfKnown += preToken.length + sizeOfEntry;
}

/** Otherwise a single word would keep the whole text that it stood in. */
function ownCopyOf(substring: string): string {
  if (substring.length < shortestSharedSubstring) return substring;
  return Buffer.from(substring, 'utf16le').toString('utf16le');
}
