/**
 * For text that is cut before its secrets are taken out: half of a secret is not recognised, so what
 * is left of a word at the cut goes too.
 */

/** No secret is longer; and writing without spaces, such as Chinese, must not get lost. */
const longestWord = 10_000;

export function withoutBrokenEnd(text: string): string {
  const tail = text.slice(-longestWord);
  const end = tail.search(/[\s"',;][^\s"',;]*$/);
  return end === -1 ? text : text.slice(0, text.length - tail.length + end);
}

export function withoutBrokenStart(text: string): string {
  const start = text.slice(0, longestWord).search(/[\s"',;](?=[\s\S])/);
  return start === -1 ? text : text.slice(start + 1);
}
