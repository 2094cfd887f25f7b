import type { Prompt } from './prompt.js';

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
