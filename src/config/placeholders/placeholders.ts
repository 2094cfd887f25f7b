import { editDistance } from '../../base/nearest.js';

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
export function neutralizePlaceholders(text: string): string {
  return /^\{[^}]*\}/.test(text) && findPlaceholders(text)[0]?.offset === 0
    ? text.replace(placeholder, 'http://0')
    : text.replace(placeholder, '0');
}

interface MisspeltPlaceholder {
  written: string;
  meant: string;
  offset: number;
  length: number;
}

/** What can follow each family; anything else in braces is code or data of its own. */
const members = {
  steps: /^[\w-]+(?:\.[\w-]+)+$/,
  agent: /^(?:output|prompt)$/,
  random: /^(?:id|port)$/,
  env: /^[A-Z][A-Z0-9_]*$/,
  task: /^name$/,
};

/** Not in `${...}` or `{{...}}`: those are of other languages. */
const inBraces = /(?<![{$])\{([A-Za-z]{2,7})\.([\w.-]{1,200})\}(?!\})/g;

/** What would be a placeholder, were its family not one letter off. */
export function findMisspeltPlaceholders(text: string): MisspeltPlaceholder[] {
  return [...text.matchAll(inBraces)].flatMap(
    ({ 0: written, 1: family = '', 2: name = '', index }) => {
      const meant = Object.entries(members).find(
        ([known, member]) => member.test(name) && editDistance(family, known) === 1,
      );
      if (!meant) return [];
      return [{ written, meant: `{${meant[0]}.${name}}`, offset: index, length: written.length }];
    },
  );
}
