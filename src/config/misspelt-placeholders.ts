import { editDistance } from '../base/nearest.js';

interface MisspeltPlaceholder {
  written: string;
  meant: string;
  offset: number;
  length: number;
}

/** What can follow each family; anything else in braces is somebody's code or data. */
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
