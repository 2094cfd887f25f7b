import { createHash } from 'node:crypto';

const longestName = 300;
const longestSentence = 500;

/**
 * A name out of a file, of which many are kept: one that is longer than any name is cut, and still
 * differs from others that begin like it.
 */
export function boundedName(name: string): string {
  if (name.length <= longestName) return name;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${ownCopyOf(name.slice(0, longestName))} … ${mark}`;
}

export function boundedSentence(text: string): string {
  if (text.length <= longestSentence) return text;
  return `${ownCopyOf(text.slice(0, longestSentence))} …`;
}

/** Otherwise the part would keep the whole text in memory; half a character is left out. */
function ownCopyOf(part: string): string {
  return Buffer.from(part.replace(/[\ud800-\udbff]$/, '')).toString();
}
