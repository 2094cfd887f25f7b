import { evaluates } from './evaluating-builtins.js';
import { interpreterNamed, readsProgram, roleOf } from './interpreters.js';
import { firstIndex, programIndex, programName } from './program-of-command.js';
import { evaluatedBy, executedBy, refusals } from './refusals.js';
import type { Word } from './shell-word.js';

/** Programs that hand their arguments to a shell, here or elsewhere. */
const shellCallers = new Set('ssh autossh mosh watch parallel tmux screen'.split(' '));

/** Why a prompt must not stand in the word at an index of a command, if so. */
export function riskOf(words: Word[], index: number): string | undefined {
  const first = firstIndex(words);
  if (first === -1 || index < first) return undefined;
  const program = programIndex(words, index);
  if (program === index) return refusals.program;
  // Behind a wrapper, or a variable that may name one, any argument may be the program.
  const anyArgument = program !== first || words[first]?.text.startsWith('$');
  for (const [at, word] of words.slice(0, index).entries()) {
    const name = programName(word);
    if (at === program && evaluates(words, first, program, index)) return evaluatedBy(name);
    const suspected = at === program || (at >= first && anyArgument);
    if (suspected && shellCallers.has(name)) return executedBy(name);
    const interpreter = interpreterNamed(name);
    if (interpreter === undefined || !(suspected || interpreter.kind === 'shell')) continue;
    const role = roleOf(words, index, at, interpreter);
    if (role === 'code') return executedBy(name);
    const isProgram = suspected && interpreter.kind === 'program';
    if (role === 'program' && (isProgram || at === program)) return refusals.program;
  }
  return undefined;
}

/** The interpreter that would run what a command reads from its input, if there is one. */
export function runnerOfInput(words: Word[]): string | undefined {
  const first = firstIndex(words);
  const program = programIndex(words, words.length);
  const names = words.map(programName);
  // The option -I or -i of xargs, which puts its input into the arguments.
  const replaces =
    names.includes('xargs') && words.some(({ text }) => /^-(?:[Ii]|-rep)/.test(text));
  const passesOn = program !== first || shellCallers.has(names[first] ?? '');
  for (const [at, name] of names.entries()) {
    const interpreter = interpreterNamed(name);
    const suspected = at === program || (at > first && passesOn);
    if (interpreter === undefined || !suspected) continue;
    const args = words.slice(at + 1);
    if (replaces && args.some(({ text }) => interpreter.code.test(text))) return name;
    if (readsProgram(interpreter, args)) return name;
  }
  return undefined;
}
