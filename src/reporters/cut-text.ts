/** The beginning of a text, and how much of it is missing. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // Half a character would be left of a pair.
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  const end = isHalf ? maxLength - 1 : maxLength;
  return `${text.slice(0, end)} [... ${text.length - end} characters left out ...]`;
}
