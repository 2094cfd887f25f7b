import type { PromptPlace } from './prompt.js';

/** Holds the prompt, for the references below and for whoever wants to read it. */
export const promptVariable = 'PROCTOR_PROMPT';

/** Each leaves the quotes that it stands in, so that what follows cannot become part of the name. */
const references: Readonly<Record<PromptPlace, string>> = {
  bare: `"$${promptVariable}"`,
  double: `""$${promptVariable}""`,
  single: `'"$${promptVariable}"'`,
};

/** What stands for the prompt in a command line: its text is never part of what the shell reads. */
export function promptReference(place: PromptPlace): string {
  return references[place];
}

/** Any text as one word of a Bourne shell. */
export function shellLiteral(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
