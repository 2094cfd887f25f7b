import type { Prompt } from './prompt.js';

/** A word of a command after the shell has removed its quotes, with stand-ins for values. */
export interface Word {
  text: string;
  /** It is one word whatever variables and folders hold: nothing in it is expanded outside of quotes. */
  isFixed: boolean;
  prompts: Prompt[];
}

const listed = (...names: string[]) => new Set(names.join(' ').split(' '));

/** Words before a command that leave it a command. */
const keywords = listed('if then elif else while until do { !');

/** Commands that start the program which their arguments name. */
const wrappers = listed(
  'exec command builtin time sudo doas sshpass env chroot direnv mise',
  'timeout nice ionice nohup setsid caffeinate stdbuf unbuffer strace',
  'docker podman nerdctl kubectl oc busybox',
  'npx bunx uvx uv poetry pipenv pdm conda mamba bundle',
);

/** An option, a number or an assignment, which may stand between a wrapper and its program. */
const wrapperArgument = /^(?:[-+]|\d|[A-Za-z_]\w*=)/;
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

const shells = /^(?:(?:ba|da|z|k|mk|a|c|tc|fi)?sh|pwsh|powershell|nu|\$\{?(?:SHELL|BASH)\}?)$/;

/** Programs that run a program which they get as text, as a file or through their input. */
const interpreters =
  /^(?:(?:python|pypy|perl|ruby|lua|luajit|julia|php|Rscript|osascript|groovy|elixir)[\d.]*|node|nodejs|bun|deno|tsx|ts-node)$/;

/** Options of these behind which the name of a script or a module follows. */
const harmlessOption = /^-[um]$/;

/** No option, no place where input is found, and no command of `bun` or `deno` that takes code. */
const scriptName = /^(?![-+]|\/(?:dev|proc)\/|(?:eval|exec)$)[^\uFFFC]+$/;

/** Programs that hand their arguments, or their input, to a shell or to another program. */
const callers = listed(
  'ssh autossh mosh watch parallel xargs tmux screen su runuser sg script flock expect',
  'nix nix-shell npm pnpm yarn',
);

/**
 * Programs of which any argument could be evaluated: what shells do themselves (all but `cd`, `echo`,
 * `true` and the like), and two whose arguments are programs.
 */
const evaluators = listed(
  'awk gawk mawk nawk sed gsed',
  '. [ alias autoload bind bindkey caller compgen complete compopt coproc declare dirs disown emulate enable',
  'eval exit export fc fg float function functions getopts hash help history integer jobs kill let local',
  'logout mapfile popd print private pushd read readarray readonly return sched select set setopt shift',
  'shopt source suspend test times trap type typeset ulimit umask unalias unfunction unset vared wait whence',
  'where zcompile zformat zle zmodload zparseopts zpty zregexparse zselect zstyle',
);

/** A format of `printf` whose values are no numbers, which some shells would evaluate. */
const textFormat = /^(?!-)(?:[^%\uFFFC]|%[sb%])*$/;

/** Why a prompt must not stand in the word at an index of a command; undefined if it may. */
export function judgeArguments(words: readonly Word[], index: number): string | undefined {
  const { start, program } = findProgram(words);
  const named = words[program];
  if (index <= program || !named) return 'the prompt must be an argument of a program';
  const name = getName(named);
  const next = words[program + 1]?.text ?? '';
  if (evaluators.has(name) || (name === 'printf' && !textFormat.test(next)))
    return `${name} could evaluate the prompt`;
  if (!isKnown(named)) return 'the program that would get the prompt is not a fixed name';
  for (let at = start; at < index; at++) {
    // Behind a wrapper, any word may be the program.
    const risk = findRisk(words, at, index, at === program || program > start);
    if (risk) return risk;
  }
  return undefined;
}

/** The name of a program in a command that would execute what it reads, if there is one. */
export function findInputRunner(words: readonly Word[]): string | undefined {
  const { program } = findProgram(words);
  const runner = words.find((word, at) => {
    const name = getName(word);
    if (at === program && (!isKnown(word) || /^(?:eval|source|\.)$/.test(name))) return true;
    const hasCode = interpreters.test(name) && /^-\w*[ce]$/.test(words[at + 1]?.text ?? '');
    return !hasCode && findRisk(words, at, words.length, true) !== undefined;
  });
  return runner && getName(runner);
}

/** Why the word at a place of a command makes a program of what stands at a later index. */
function findRisk(
  words: readonly Word[],
  at: number,
  index: number,
  isSuspected: boolean,
): string | undefined {
  const name = words[at] ? getName(words[at]) : '';
  if (isSuspected && callers.has(name))
    return `${name} would execute the prompt as part of a command`;
  const isShell = shells.test(name);
  if (!isShell && !(isSuspected && interpreters.test(name))) return undefined;
  const script = words.slice(at + 1, index).find(({ text }) => !harmlessOption.test(text));
  // The shell may be an option's value, as in `docker run --entrypoint bash IMAGE -c ...`.
  const isCommandString = isShell && /^-\w*c$/.test(words[index - 1]?.text ?? '');
  if (script?.isFixed && scriptName.test(script.text) && !isCommandString) return undefined;
  return `${name} could execute the prompt: the name of a script must follow it`;
}

/** Where a command starts behind its keywords and assignments, and the word that names its program. */
function findProgram(words: readonly Word[]): { start: number; program: number } {
  let start = 0;
  while (keywords.has(words[start]?.text ?? '')) start++;
  while (assignment.test(words[start]?.text ?? '')) start++;
  let program = start;
  for (let word = words[program]; word && wrappers.has(getName(word)); word = words[program]) {
    program++;
    while (wrapperArgument.test(words[program]?.text ?? '')) program++;
  }
  return { start, program };
}

/** Whether what a word names is known: neither a value nor a list of words. */
function isKnown({ text, isFixed }: Word): boolean {
  return isFixed && !/[\s\uFFFC]/.test(text);
}

function getName({ text }: Word): string {
  return text.slice(text.lastIndexOf('/') + 1);
}
