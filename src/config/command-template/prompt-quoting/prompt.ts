import type { Span } from '../template-tokens.js';

/** The shell quotes around a prompt, which decide how a reference to it must be written. */
export type PromptPlace = 'bare' | 'double' | 'single';

/** The span is that of `.Prompt` itself, as one output may hold several. */
export interface Prompt extends Span {
  /** Written through `printf "%q"`, which brings its own quotes. */
  quoted: boolean;
  /** Why it is refused wherever it stands. */
  reason?: string;
}

/** What the shell sees: text, or a value of which nothing is known but whether it is a prompt. */
export type Piece = string | { prompt?: Prompt };

export type Outcome = { place: PromptPlace } | { reason: string };

/** The variable that holds the prompt, for the references below and for commands that read it. */
export const promptVariable = 'PROCTOR_PROMPT';

/** Each leaves the quotes that it stands in, so that what follows cannot become part of the name. */
const references: Readonly<Record<PromptPlace, string>> = {
  bare: `"$${promptVariable}"`,
  double: `""$${promptVariable}""`,
  single: `'"$${promptVariable}"'`,
};

/** What stands for the prompt in a command line: its text is never part of what the shell reads. */
export function formatPromptReference(place: PromptPlace): string {
  return references[place];
}

/** Any text as one word of a Bourne shell. */
export function quoteShellLiteral(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
