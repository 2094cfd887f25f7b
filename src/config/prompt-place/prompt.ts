import type { Span } from '../go-template/template-problem.js';

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
