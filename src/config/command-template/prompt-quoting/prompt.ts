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

/** A word of a command after the shell removed its quotes, with stand-ins for values. */
export interface Word {
  text: string;
  /** Nothing in it is quoted or expanded, as a reserved word must be. */
  plain: boolean;
  /** Those that stand in the word itself, by their index in its text. */
  direct: Map<number, Prompt>;
  /** Also those in a command whose output becomes part of the word. */
  prompts: Prompt[];
}

/** Stands for a value in the text that the shell sees, so that offsets stay those of letters. */
export const standIn = '\uFFFC';

export function isNothingButValues({ text }: Word): boolean {
  return /^\uFFFC+$/.test(text);
}

/** Why a prompt must not stand where it does, in words for the author of the template. */
export const refusals = {
  condition: 'the quotes around the prompt depend on a condition',
  conditions: 'too many conditions decide where the prompt stands',
  logic: 'the prompt can be put in only as it is or through printf',
  unknown: 'the place of the prompt cannot be told',
  nesting: 'the prompt stands after commands that are nested too deep to follow',
  doubleQuoting: 'printf "%q" brings its own quotes, so the prompt must not stand in quotes',
  unclosed: 'the prompt stands in quotes or parentheses that are never closed',
  backslash: 'the backslash before the prompt would escape its quote',
  dollar: 'the $ before the prompt would change the meaning of its quote',
  ansi: "the prompt stands in $'...', where it cannot be quoted",
  backtick: 'the prompt stands in backticks, where it cannot be quoted reliably',
  parameter: 'the prompt stands in a parameter expansion, where it cannot be quoted reliably',
  arithmetic: 'the prompt stands in an arithmetic expression, which the shell would evaluate',
  comment: 'the prompt stands in a comment, so nothing would be passed',
  document: 'the prompt stands in a here-document, where it cannot be quoted',
  file: 'the prompt would be the name of a file to read or write',
  pattern: 'the prompt would be a pattern of case',
  subscript: 'the prompt would be an array subscript, which the shell evaluates',
  program: 'the prompt would be the program to run',
  nested: 'a command string inside a string would execute the prompt',
};

export function describeExecution(name: string): string {
  return `${name} would execute the prompt as part of a program`;
}

export function describeEvaluation(name: string): string {
  return `${name} would evaluate the prompt`;
}

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
