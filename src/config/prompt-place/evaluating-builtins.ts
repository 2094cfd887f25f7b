import { isAssignment, programName } from './program-of-command.js';
import { isNothingButValues, type Word } from './shell-word.js';

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
export function evaluates(words: Word[], first: number, program: number, index: number): boolean {
  const [builtin, argument] = [words[program], words[index]];
  if (!builtin || !argument || !words.slice(first, program).every(mayPrecedeBuiltin)) return false;
  const name = programName(builtin);
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
