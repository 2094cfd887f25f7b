/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

/**
 * A text as a verdict quotes it. Secrets go first: half of one would not be recognised. The copy is
 * for memory, as a part of a string keeps the whole of it alive.
 */
export function shortText(text: string, length: number, redact: Redact): string {
  const shown = redact(text);
  if (shown.length <= length) return shown;
  return `${Buffer.from(shown.slice(0, length - 3)).toString()}...`;
}
