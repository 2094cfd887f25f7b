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
export function forEachPreToken(text: string, visit: (preToken: string) => void): void {
  let windowStart = 0;
  while (windowStart < text.length) {
    const windowEnd = cutAt(text, windowStart + windowLength);
    const window = text.slice(windowStart, windowEnd);
    let start = 0;
    while (start < window.length) {
      const end = endOfPreToken(window, start);
      // With more text it might be longer, unless this is all there is, or too long anyway.
      if (end === window.length && windowEnd < text.length && start > 0) break;
      while (end - start > longestPreToken) {
        const cut = cutAt(window, start + longestPreToken);
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
function endOfPreToken(text: string, start: number): number {
  preTokenPattern.lastIndex = start;
  // Not `exec`: nobody needs the array that it would make for each of millions of matches.
  preTokenPattern.test(text);
  return preTokenPattern.lastIndex;
}

/** At most `index`, and never between the two halves of a character. */
function cutAt(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}
