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
  return [...text.matchAll(placeholder)].map((match) => ({
    family: match[1] as Placeholder['family'],
    name: match[2] ?? '',
    offset: match.index,
    length: match[0].length,
  }));
}

/** The text with something harmless in place of each placeholder, digits as they fit anywhere. */
export function withoutPlaceholders(text: string): string {
  return /^\{[^}]*\}/.test(text) && findPlaceholders(text)[0]?.offset === 0
    ? text.replace(placeholder, 'http://0')
    : text.replace(placeholder, '0');
}
