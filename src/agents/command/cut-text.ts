/**
 * The beginning of a text. It is cut between words, as secrets are taken out later, and half of one
 * is not recognised.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const kept = text.slice(0, maxLength);
  const boundary = kept.search(/[\s"',;][^\s"',;]*$/);
  return `${boundary > 0 ? kept.slice(0, boundary) : kept} …`;
}
