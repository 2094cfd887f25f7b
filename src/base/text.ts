/**
 * For text that is cut before its secrets are taken out: half of a secret is not recognised, so what
 * is left of a word at the cut goes too.
 */

/** No secret is longer; and writing without spaces, such as Chinese, must not get lost. */
const longestWord = 10_000;

export function dropPartialLastWord(text: string): string {
  const tail = text.slice(-longestWord);
  const end = tail.search(/[\s"',;][^\s"',;]*$/);
  return end === -1 ? text : text.slice(0, text.length - tail.length + end);
}

export function dropPartialFirstWord(text: string): string {
  const start = text.slice(0, longestWord).search(/[\s"',;](?=[\s\S])/);
  return start === -1 ? text : text.slice(start + 1);
}

/** The beginning of a text, and how much of it is missing. */
export function truncateWithCount(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half a character would be left of a pair.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  const end = isHalf ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)} [... ${text.length - end} characters left out ...]`;
}

/** The beginning of a text, with a sign that it is not all of it. */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${dropPartialLastWord(text.slice(0, maxLength))} …`;
}

/** The beginning of a text, of at most this length with the dots at its end. For text without secrets. */
export function truncateText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3)}...`;
}

/** `1 task`, `2 tasks`. */
export function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** Quotes a word for a shell, if it needs quotes. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const kilo = 1024;

/** `812 bytes`, `98 KB`, `12.3 MB`: precise enough for the size of a download. */
export function formatSize(bytes: number): string {
  if (bytes < kilo) return `${bytes} bytes`;
  const kilobytes = Math.round(bytes / kilo);
  return kilobytes < kilo ? `${kilobytes} KB` : `${(bytes / kilo ** 2).toFixed(1)} MB`;
}

/** Short enough for every file system, with what is put before and behind it. */
const maxSlugLength = 60;

/** A name as part of a file's name. */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxSlugLength);
  return slug === '' ? 'unnamed' : slug;
}

/** Orders texts by code units: the same everywhere, whatever the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
