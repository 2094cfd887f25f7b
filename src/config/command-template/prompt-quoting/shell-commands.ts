import { findInterpreter, findRole, readsProgram } from './interpreters.js';
import {
  describeEvaluation,
  describeExecution,
  isNothingButValues,
  type Prompt,
  refusals,
  type Word,
} from './prompt.js';

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
      const reason = prompts.length > 0 ? findRisk(this.#words, index) : undefined;
      if (reason) this.#refuse(prompts, reason);
    }
    const runner = this.#inputs.length > 0 ? findInputRunner(this.#words) : undefined;
    if (runner) this.#refuse(this.#inputs, describeExecution(runner));
    this.#words = [];
  }
}

/** Programs that hand their arguments to a shell, here or elsewhere. */
const shellCallers = new Set('ssh autossh mosh watch parallel tmux screen'.split(' '));

/** Why a prompt must not stand in the word at an index of a command, if so. */
function findRisk(words: Word[], index: number): string | undefined {
  const first = findFirstWord(words);
  if (first === -1 || index < first) return undefined;
  const program = findProgramWord(words, index);
  if (program === index) return refusals.program;
  // Behind a wrapper, or a variable that may name one, any argument may be the program.
  const anyArgument = program !== first || words[first]?.text.startsWith('$');
  for (const [at, word] of words.slice(0, index).entries()) {
    const name = getProgramName(word);
    if (at === program && evaluatesArgument(words, first, program, index))
      return describeEvaluation(name);
    const suspected = at === program || (at >= first && anyArgument);
    if (suspected && shellCallers.has(name)) return describeExecution(name);
    const interpreter = findInterpreter(name);
    if (interpreter === undefined || !(suspected || interpreter.kind === 'shell')) continue;
    const role = findRole(words, index, at, interpreter);
    if (role === 'code') return describeExecution(name);
    const isProgram = suspected && interpreter.kind === 'program';
    if (role === 'program' && (isProgram || at === program)) return refusals.program;
  }
  return undefined;
}

/** The interpreter that would run what a command reads from its input, if there is one. */
function findInputRunner(words: Word[]): string | undefined {
  const first = findFirstWord(words);
  const program = findProgramWord(words, words.length);
  const names = words.map(getProgramName);
  // The option -I or -i of xargs, which puts its input into the arguments.
  const replaces =
    names.includes('xargs') && words.some(({ text }) => /^-(?:[Ii]|-rep)/.test(text));
  const passesOn = program !== first || shellCallers.has(names[first] ?? '');
  for (const [at, name] of names.entries()) {
    const interpreter = findInterpreter(name);
    const suspected = at === program || (at > first && passesOn);
    if (interpreter === undefined || !suspected) continue;
    const args = words.slice(at + 1);
    if (replaces && args.some(({ text }) => interpreter.code.test(text))) return name;
    if (readsProgram(interpreter, args)) return name;
  }
  return undefined;
}

/** These evaluate any argument, be it only as the name of a variable. */
const evaluating = new Set('eval let trap alias unset read mapfile readarray getopts'.split(' '));
/** These read the file that their first argument names. */
const sourcing = new Set(['source', '.']);
/** These evaluate what is no plain assignment. */
const declaring = new Set('declare typeset local export readonly'.split(' '));
/** With one of these options, -i or -n, even the assigned value is evaluated. */
const evaluatingAttribute = /^-\w*[in]/;
/** These evaluate the operands of some operators, with the commands in their array subscripts. */
const testing = new Set(['[[', '[', 'test']);
const evaluatingOperator = /^-(?:eq|ne|lt|le|gt|ge|v)$/;

/** Behind these options they take the name of a variable, and evaluate its subscript. */
const naming: Readonly<Record<string, RegExp>> = { printf: /^-v/, wait: /^-\w*p/ };

/** Other wrappers start programs, never builtins. */
const wrapperOfBuiltin = /^(?:command|builtin|time|coproc|-.*)$/;

/** Whether the program is a builtin of the shell that evaluates its argument at an index. */
function evaluatesArgument(words: Word[], first: number, program: number, index: number): boolean {
  const [builtin, argument] = [words[program], words[index]];
  if (!builtin || !argument || !words.slice(first, program).every(mayPrecedeBuiltin)) return false;
  const name = getProgramName(builtin);
  if (sourcing.has(name)) return index === program + 1;
  const option = naming[name];
  if (option) return words.slice(program, index).some(({ text }) => option.test(text));
  if (testing.has(name)) return words.some(({ text }) => evaluatingOperator.test(text));
  if (!declaring.has(name)) return evaluating.has(name);
  return !isAssignment(argument) || words.some(({ text }) => evaluatingAttribute.test(text));
}

function mayPrecedeBuiltin(word: Word): boolean {
  return wrapperOfBuiltin.test(word.text) || isNothingButValues(word);
}

const assignment = /^[A-Za-z_]\w*(?:\[[\w@*]*\])?\+?=/;

/** Commands that start the program which their arguments name. */
const wrappers = new Set(
  [
    // Of the shell itself
    'exec command builtin time coproc',
    // As another user, or in another environment
    'sudo doas sshpass env chroot direnv mise',
    // With other limits, signals or streams
    'timeout nice ionice nohup setsid flock caffeinate stdbuf unbuffer strace xargs',
    // In a container, or in one binary with many programs
    'docker podman nerdctl kubectl oc busybox',
    // Out of the packages of a project
    'npx npm pnpm yarn bunx uvx uv poetry pipenv pdm conda mamba bundle',
  ].flatMap((names) => names.split(' ')),
);

/** An option, a number or an assignment, which may stand between a wrapper and its program. */
const wrapperArgument = /^(?:[-+]|\d|[A-Za-z_]\w*=)/;

function isAssignment({ text }: Word): boolean {
  return assignment.test(text);
}

/** The index of the first word that is no assignment, or -1. */
function findFirstWord(words: Word[]): number {
  return words.findIndex((word) => !isAssignment(word));
}

/** The index of the word that names the program, behind assignments and wrappers, up to a limit. */
function findProgramWord(words: Word[], limit: number): number {
  let index = findFirstWord(words);
  if (index === -1) return limit + 1;
  for (let word = words[index]; word && index < limit && isWrapper(word); word = words[index]) {
    index++;
    while (index <= limit && wrapperArgument.test(words[index]?.text ?? '')) index++;
  }
  return index;
}

/** Also a value, as it may be empty or an assignment, and then the program is what follows. */
function isWrapper(word: Word): boolean {
  const isValue = word.prompts.length === 0 && isNothingButValues(word);
  return isValue || wrappers.has(getProgramName(word));
}

/** The name of the program that a word or the default of an expansion names. */
function getProgramName({ text }: Word): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return name.startsWith('$') ? name : name.replace(/\}$/, '');
}
