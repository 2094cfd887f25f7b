import { riskOf, runnerOfInput } from './command-risk.js';
import type { Prompt } from './prompt.js';
import { executedBy, refusals } from './refusals.js';
import type { Word } from './shell-word.js';

const reservedWords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '{', '!']);

/** Collects the words of one command after the other and judges each when it is complete. */
export class CommandList {
  inPattern = false;
  readonly #refuse: (prompts: Iterable<Prompt>, reason: string) => void;
  #openCases = 0;
  #words: Word[] = [];
  /** What the command hands on through its output. */
  #prompts: Prompt[] = [];
  /** What it gets as input, from a here-string or the commands before it in a pipe. */
  #inputs: Prompt[] = [];

  constructor(refuse: (prompts: Iterable<Prompt>, reason: string) => void) {
    this.#refuse = refuse;
  }

  add(word: Word) {
    const keyword = word.plain && (this.#words.length === 0 || this.#words.length === 2);
    const text = keyword ? word.text : '';
    if (this.#words.length === 0 && text === 'esac') {
      this.#openCases = Math.max(0, this.#openCases - 1);
      this.inPattern = false;
    } else if (this.inPattern) {
      this.#refuse(word.prompts, refusals.pattern);
      return;
    } else if (this.#words.length === 0 && reservedWords.has(text)) {
      return;
    } else if (text === 'in' && this.#words[0]?.text === 'case') {
      this.#openCases++;
      this.inPattern = true;
      this.#words = [];
      return;
    }
    this.#words.push(word);
    this.#prompts = this.#prompts.concat(word.prompts);
  }

  addInput(prompts: Prompt[]) {
    this.#inputs = this.#inputs.concat(prompts);
  }

  /** After a group in parentheses, which may be the `()` of a function, a command may begin. */
  addGroup(prompts: Prompt[]) {
    this.#judge();
    this.#prompts = this.#prompts.concat(prompts);
  }

  closesPattern(): boolean {
    const closes = this.inPattern;
    this.inPattern = false;
    return closes;
  }

  /** A line that ends behind a pipe goes on in the next. */
  endLine() {
    if (this.#words.length + this.#prompts.length > 0) this.end(';');
  }

  end(operator: string) {
    if (this.inPattern) return;
    this.#judge();
    const pipes = operator === '|' || operator === '|&';
    this.#inputs = pipes ? this.#inputs.concat(this.#prompts) : [];
    this.#prompts = [];
    if (operator.startsWith(';') && operator !== ';') this.inPattern = this.#openCases > 0;
  }

  #judge() {
    for (const [index, { prompts }] of this.#words.entries()) {
      const reason = prompts.length > 0 ? riskOf(this.#words, index) : undefined;
      if (reason) this.#refuse(prompts, reason);
    }
    const runner = this.#inputs.length > 0 ? runnerOfInput(this.#words) : undefined;
    if (runner) this.#refuse(this.#inputs, executedBy(runner));
    this.#words = [];
  }
}
