import type { Expression } from '../../config/command-template/go-expression.js';
import type { Template } from '../../config/command-template/go-template.js';
import {
  formatPromptReference,
  quoteShellLiteral,
} from '../../config/command-template/prompt-quoting/prompt.js';
import {
  findPromptPlaces,
  type PlacedPrompt,
} from '../../config/command-template/prompt-quoting/prompt-quoting.js';
import { NotStarted } from '../program/not-started.js';

/** Puts the prompt into a command line as data, quoted for each place where it stands. */
export class PromptWriter {
  readonly #places: ReadonlyMap<number, PlacedPrompt>;
  #hasWritten = false;

  constructor(template: Template) {
    const { places, problems } = findPromptPlaces(template);
    const [problem] = problems;
    if (problem) throw new NotStarted(`runPrompt is not safe: ${problem.message}`, problem.hint);
    this.#places = new Map(places.map((placed) => [placed.offset, placed]));
  }

  /** Whether the prompt got into the command line at all. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** What stands for a field; undefined: it is not the prompt. */
  write({ name, offset }: { name: string; offset: number }): string | undefined {
    if (name !== 'Prompt') return undefined;
    const placed = this.#places.get(offset);
    if (placed === undefined) throw new Error(`the place of the prompt at ${offset} is not known`);
    this.#hasWritten = true;
    return formatPromptReference(placed.place);
  }

  /** What `%q` makes of a text: with a prompt in it one word of the shell, that very text. */
  quote(text: string, expression: Expression): string | undefined {
    if (!holdsPrompt(expression)) return undefined;
    this.#hasWritten = true;
    return quoteShellLiteral(text);
  }
}

function holdsPrompt(expression: Expression): boolean {
  if (expression.kind === 'call') return expression.args.some(holdsPrompt);
  return expression.kind === 'field' && expression.name === 'Prompt';
}
