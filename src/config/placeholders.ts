/** One `{family.name}` in a text. */
export interface Placeholder {
  family: 'steps' | 'agent' | 'random' | 'env' | 'task';
  /** What follows the family and its dot. */
  name: string;
  offset: number;
  length: number;
}

const placeholder = /\{(steps|agent|random|env|task)\.([^{}\n]*)\}/g;

/** The placeholders of a text. Other braces mean nothing and are left alone. */
export function findPlaceholders(text: string): Placeholder[] {
  // Most texts have none, and the words of all scripts are asked about.
  if (!text.includes('{')) return [];
  return [...text.matchAll(placeholder)].map((match) => ({
    family: match[1] as Placeholder['family'],
    name: match[2] ?? '',
    offset: match.index,
    length: match[0].length,
  }));
}

/** The text with values in place of placeholders; one without a value stays. Values are not looked at. */
export function replacePlaceholders(
  text: string,
  replacement: (placeholder: Placeholder, written: string) => string | undefined,
): string {
  const found = findPlaceholders(text);
  if (found.length === 0) return text;
  let replaced = '';
  let done = 0;
  for (const placeholder of found) {
    const end = placeholder.offset + placeholder.length;
    const written = text.slice(placeholder.offset, end);
    replaced +=
      text.slice(done, placeholder.offset) + (replacement(placeholder, written) ?? written);
    done = end;
  }
  return replaced + text.slice(done);
}

/** The text with something harmless in place of each placeholder, digits as they fit anywhere. */
export function withoutPlaceholders(text: string): string {
  return /^\{[^}]*\}/.test(text) && findPlaceholders(text)[0]?.offset === 0
    ? text.replace(placeholder, 'http://0')
    : text.replace(placeholder, '0');
}
