import { standIn, type Word } from './prompt.js';

/** Where an interpreter finds program text among its arguments. */
type Kind =
  /** In the first operand, wherever the option stands. */
  | 'shell'
  /** Behind the option; without one the first operand is a file. */
  | 'script'
  /** Behind the option; without one in the first operand. */
  | 'program'
  /** Behind the option, which may follow operands. */
  | 'anywhere';

/** A program that takes the text of another program as an argument. */
export interface Interpreter {
  names: RegExp;
  /** Options that take program text: the rest of the word, or the next word if nothing is left. */
  code: RegExp;
  /** Options whose value is the next word. */
  values?: RegExp;
  kind: Kind;
}

function matchNames(names: string): RegExp {
  return new RegExp(`^(?:${names.replaceAll(' ', '|')})$`);
}

/** Also matches a version behind the name, as in python3.12. */
function matchVersionedNames(names: string): RegExp {
  return new RegExp(`^(?:${names.replaceAll(' ', '|')})[\\d.]*$`);
}

const shell: Interpreter = {
  kind: 'shell',
  names: matchNames('sh bash dash zsh ksh mksh ash csh tcsh fish pwsh powershell nu'),
  code: /^(?:-\w*c\w*|--(?:init-)?commands?)/i,
  values: /^(?:[-+]\w*o|--rcfile|--init-file)$/i,
};
/** Expansions such as `${SHELL:-sh}`, taken for the shell that they should name. */
const shellVariable = /^\$\{?(?:SHELL|BASH)(?:\W.*)?$/;

const interpreters: Interpreter[] = [
  shell,
  {
    kind: 'script',
    names: matchVersionedNames('python pypy'),
    code: /^-\w*c/,
    values: /^-[WX]$/,
  },
  {
    kind: 'script',
    names: matchNames('node nodejs bun deno tsx ts-node'),
    code: /^(?:-p?e|-p|--eval|--print|eval$)/,
    values: /^(?:-r|-C|--require|--import|--loader|--experimental-loader|--conditions)$/,
  },
  {
    kind: 'script',
    names: matchVersionedNames('perl ruby lua luajit julia Rscript osascript groovy elixir'),
    code: /^(?:-\w*e|--eval)/i,
    values: /^-[Ir]$/,
  },
  {
    kind: 'script',
    names: matchVersionedNames('php'),
    code: /^(?:-[rBRE]|--run)/,
    values: /^-[cd]$/,
  },
  {
    kind: 'program',
    names: matchNames('awk gawk mawk nawk sed gsed'),
    code: /^(?:-\w*[ef]|--expression|--file)/,
    values: /^-[vFl]$/,
  },
  {
    kind: 'anywhere',
    names: matchNames('su runuser sg script flock expect nix-shell nix'),
    code: /^(?:-\w*c|--(?:session-)?command|--run)/,
  },
  {
    kind: 'anywhere',
    names: matchNames('env'),
    code: /^(?:-\w*S|--split-string)/,
  },
];

export function findInterpreter(name: string): Interpreter | undefined {
  if (shellVariable.test(name)) return shell;
  return interpreters.find(({ names }) => names.test(name));
}

/** What the word at an index is to the interpreter that another word names. */
export function findRole(
  words: Word[],
  index: number,
  at: number,
  { code, values, kind }: Interpreter,
): 'code' | 'program' | 'argument' {
  const target = words[index]?.text ?? '';
  const previous = words[index - 1]?.text ?? '';
  // A value behind the dash may turn out to be the letter of any option.
  const mayBeAnyOption = isOption(target) && target[1] === standIn;
  const isCodeOption = mayBeAnyOption || (target.startsWith('-') && code.test(target));
  if (kind === 'anywhere') {
    return isCodeOption || code.exec(previous)?.[0] === previous ? 'code' : 'argument';
  }
  if (kind === 'shell' && /^-\w*c$/.test(previous)) return 'code';
  let hasCode = false;
  for (let next = at + 1; next < index; next++) {
    const text = words[next]?.text ?? '';
    const option = code.exec(text)?.[0];
    if (option !== undefined) hasCode = true;
    if (option === text && kind !== 'shell') {
      next++;
      if (next === index) return 'code';
    } else if (values?.test(text)) {
      next++;
      if (next === index) return 'argument';
    } else if (option === undefined && !isOption(text)) {
      return 'argument';
    }
  }
  if (isCodeOption || (kind === 'shell' && hasCode)) return 'code';
  return hasCode || isOption(target) ? 'argument' : 'program';
}

/** Whether an interpreter with these arguments takes its program from its input. */
export function readsProgram({ code, values, kind }: Interpreter, args: Word[]): boolean {
  if (kind !== 'shell' && kind !== 'script') return false;
  for (let next = 0; next < args.length; next++) {
    const text = args[next]?.text ?? '';
    if (code.test(text)) return false;
    if (kind === 'shell' && /^-\w*s\w*$/.test(text)) return true;
    if (values?.test(text)) next++;
    else if (!isOption(text)) return false;
  }
  return true;
}

function isOption(text: string): boolean {
  return /^[-+]/.test(text);
}
