import { isBourneShell } from '../../../base/processes/find-program.js';
import type { Prompt } from './prompt.js';

/** Stands for a value in the text that the shell sees, so that offsets stay those of letters. */
export const standIn = '\uFFFC';

/** A word of a command after the shell has removed its quotes, with stand-ins for values. */
export interface Word {
  text: string;
  /** It is one word whatever variables and folders hold: nothing in it is expanded outside of quotes. */
  isFixed: boolean;
  /** Where the text begins that is not expanded, not even in quotes. */
  literalFrom: number;
  prompts: Prompt[];
}

const listed = (...names: string[]) => new Set(names.join(' ').split(' '));

/** Words before a command that leave it a command. */
const keywords = listed('if then elif else while until do { !');

/**
 * Commands that start the program which their arguments name, with the arguments that may stand before
 * it and take no value. Behind any other argument, and behind the containers, any word may be the program.
 */
const wrappers = new Map<string, RegExp | undefined>([
  ...mapNames('exec command builtin nohup setsid doas nice caffeinate unbuffer', /^--$/),
  ...mapNames('noglob nocorrect - bunx uvx', /^--$/),
  ['time', /^-p$/],
  ['timeout', /^[\d.]+[smhd]?$/],
  ['env', /^(?:-i?$|--$|[A-Za-z_]\w*=)/],
  ['sudo', /^(?:-[EnH]+$|--$|[A-Za-z_]\w*=)/],
  ['npx', /^(?:-y|--yes|-q|--quiet|--)$/],
  ...mapNames('uv poetry pipenv pdm', /^run$/),
  ...mapNames(
    'sshpass chroot direnv mise ionice stdbuf strace ltrace conda mamba bundle',
    undefined,
  ),
  ...mapNames(
    'busybox toybox chrt taskset numactl unshare nsenter firejail bwrap proot',
    undefined,
  ),
  ...mapNames('systemd-run faketime rlwrap torsocks xvfb-run dbus-run-session op', undefined),
  ...mapNames('docker podman nerdctl kubectl oc lxc multipass', undefined),
]);

function mapNames(names: string, value: RegExp | undefined): [string, RegExp | undefined][] {
  return names.split(' ').map((name) => [name, value]);
}

const containers = listed('docker podman nerdctl kubectl oc lxc multipass');

const option = /^[-+]/;
const assignment = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;

/** An option that tells a shell or an interpreter that code follows. */
const codeOption = /^(?:-\w*c\w*|-\w*e|--(?:command|eval|exec|run)\b.*)$/i;

/** An option of `env` that makes a command of its value. */
const splitOption = /^-(?:\w*S|-s)/;

/** Shells that take no script of a Bourne shell, or that run only some. */
const otherShell =
  /^(?:r(?:bash|zsh|ksh\w*)|lksh|pdksh|posh|hush|csh|tcsh|fish|rc|es|elvish|xonsh|osh|ysh|pwsh|powershell|cmd|nu)$/;

/** An expansion that probably is a shell: `$SHELL`, `$0` or `${X:-/bin/sh}`. */
const shellExpansion = /sh(?:ell)?\d*\b|\$\{?0\b/i;

/** Programs that run a program which they get as text, as a file or through their input. */
const interpreters =
  /^(?:(?:i?python|pypy|perl|ruby|lua|luajit|julia|php|Rscript|osascript|groovy|elixir|tclsh|wish|guile)[\d.]*|node|nodejs|bun|deno|tsx|ts-node)$/;

/** Options of these behind which the name of a script or a module follows. */
const harmlessOption = /^-[um]$/;

/** No option, no place where input is found, and no command of `bun` or `deno` that takes code. */
const scriptName = /^(?![-+]|\/(?:dev|proc)\/|(?:eval|exec)$)[^\uFFFC]+$/;

/** Programs that hand their arguments, or their input, to a shell or to another program. */
const callers = listed(
  'ssh autossh mosh vagrant adb pdsh clush ansible watch entr hyperfine parallel xargs tmux screen byobu',
  'su runuser sg script flock expect at batch xterm wsl socat nc ncat rsync nodemon concurrently',
  'nix nix-shell npm pnpm yarn make gmake ninja just task rake invoke fab',
  'vi vim nvim ex ed emacs sqlite3 psql mysql mariadb gdb lldb octave gnuplot m4 dc',
);

/** Programs whose arguments are programs, wherever their name stands. */
const evaluatingPrograms = listed('awk gawk mawk nawk original-awk sed gsed timeit');

/**
 * What shells do themselves and what could evaluate any argument: all but `cd`, `echo`, `true` and the
 * like. A loop over a prompt is among them, as what it does with its variable is not followed.
 */
const evaluators = listed(
  '. [ alias autoload bind bindkey break caller compgen complete compopt continue coproc declare dirs disown',
  'emulate enable eval exit export fc fg float for foreach function functions getopts hash help history integer',
  'jobs kill let local logout mapfile popd print private pushd read readarray readonly repeat return sched',
  'select set setopt shift shopt source suspend test times trap type typeset ulimit umask unalias unfunction',
  'unset vared wait whence where zcompile zformat zle zmodload zparseopts zpty zregexparse zselect zstyle',
);

/** Commands that run their input, or that bring it into a variable. */
const inputCommands = listed('eval source . read mapfile readarray');

/** A format of `printf` whose values are no numbers, which some shells would evaluate. */
const textFormat = /^(?!-)(?:[^%\uFFFC]|%[sb%])*$/;

/** The name of a variable that is the whole word. */
const plainVariable = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;

/** Whether a command gives a new meaning to the name of a program. */
export function definesProgram(words: readonly Word[]): boolean {
  return /^(?:function|alias)$/.test(words[findProgram(words).program]?.text ?? '');
}

/**
 * Why a prompt must not stand in the word at an index of a command; undefined if it may.
 * The template is the text of all commands.
 */
export function judgeArguments(
  words: readonly Word[],
  index: number,
  template: string,
): string | undefined {
  const { start, program, isCertain } = findProgram(words);
  if (index <= program) return 'the prompt must be an argument of a program';
  for (let at = isCertain ? program : start; at < index; at++) {
    const isSuspected = at === program || !isCertain;
    const reason =
      (isSuspected ? judgeProgram(words, at, index, template) : undefined) ??
      findRisk(words, at, index, isSuspected);
    if (reason !== undefined) return reason;
  }
  const isContained = words.slice(start, program).some((word) => containers.has(getName(word)));
  return isContained ? judgeContained(words.slice(program, index)) : undefined;
}

/** Why a word must not be the program, or one of the words that could be it. */
function judgeProgram(
  words: readonly Word[],
  at: number,
  index: number,
  template: string,
): string | undefined {
  const word = words[at];
  if (!word) return undefined;
  const name = getName(word);
  const next = words[at + 1]?.text ?? '';
  if (evaluators.has(name) || (name === 'printf' && !textFormat.test(next)))
    return `${name} could evaluate the prompt`;
  if (word.isFixed && assignment.test(word.text)) return undefined;
  const isSplit =
    splitOption.test(word.text) && words.slice(0, at).some((before) => getName(before) === 'env');
  if (!isSplit && (isKnown(word) || isHarmlessVariable(words, at, index, template)))
    return undefined;
  return 'the program that would get the prompt is not a fixed name';
}

/**
 * Whether a word is a variable in double quotes that may name an agent: none that the template sets
 * or that holds a shell, and the prompt would be no part of a command or of code.
 */
function isHarmlessVariable(
  words: readonly Word[],
  at: number,
  index: number,
  template: string,
): boolean {
  const { text = '', isFixed } = words[at] ?? {};
  const [, plain, braced] = plainVariable.exec(text) ?? [];
  const name = plain ?? braced;
  if (!isFixed || name === undefined || name === '_' || shellExpansion.test(text)) return false;
  const others = template.replace(new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, 'g'), '');
  if (new RegExp(`\\b${name}\\b`).test(others)) return false;
  const hasCode = words
    .slice(at + 1, index)
    .some((word) => codeOption.test(word.text) || !isLiteral(word));
  return !hasCode && words[index]?.text === standIn;
}

/** Why a prompt behind what is passed to a container could be the program that is started in it. */
function judgeContained(words: readonly Word[]): string | undefined {
  const last = words.at(-1)?.text ?? '';
  const plain = words.filter(({ text }) => !option.test(text));
  const isOptionValue = option.test(last) && last !== '--';
  if (isOptionValue || (plain.length > 2 && last !== '--')) return undefined;
  return 'the prompt could be the program that a container starts';
}

/** The name of a program in a command that would execute what it reads, if there is one. */
export function findInputRunner(words: readonly Word[]): string | undefined {
  const { start, program, isCertain } = findProgram(words);
  const runner = words.find((word, at) => {
    const name = getName(word);
    const isSuspected = at === program || (!isCertain && at >= start && !option.test(word.text));
    const isAssignment = word.isFixed && assignment.test(word.text);
    if (isSuspected && ((!isKnown(word) && !isAssignment) || inputCommands.has(name))) return true;
    const hasCode = interpreters.test(name) && /^-\w*[ce]$/.test(words[at + 1]?.text ?? '');
    return (
      !hasCode &&
      !evaluatingPrograms.has(name) &&
      findRisk(words, at, words.length, true) !== undefined
    );
  });
  return runner && getName(runner, getOptionValueStart(runner));
}

/** Why the word at a place of a command makes a program of what stands at a later index. */
function findRisk(
  words: readonly Word[],
  at: number,
  index: number,
  isSuspected: boolean,
): string | undefined {
  const word = words[at];
  if (!word) return undefined;
  const value = getName(word, getOptionValueStart(word));
  if (evaluatingPrograms.has(value)) return `${value} could evaluate the prompt`;
  if (isSuspected && callers.has(value))
    return `${value} would execute the prompt as part of a command`;
  const isProgram = isShell(word, value) || interpreters.test(value);
  if (!isProgram) return undefined;
  const between = words.slice(at + 1, index);
  const script = between.find(({ text }) => !harmlessOption.test(text));
  // It may be an option's value, as in `docker run --entrypoint bash IMAGE -c ...`.
  const isValue = getOptionValueStart(word) > 0 || /^--./.test(words[at - 1]?.text ?? '');
  const hasCode =
    (isShell(word, value) && between.some(({ text }) => /^-\w*c\w*$/.test(text))) ||
    between.at(-1)?.text === 'run';
  const isScript = script?.isFixed && isLiteral(script) && scriptName.test(script.text);
  if (isScript && !isValue && !hasCode) return undefined;
  return `${value} could execute the prompt: the name of a script must follow it`;
}

function isShell(word: Word, name: string): boolean {
  if (!isLiteral(word)) return shellExpansion.test(name);
  const family = name.replace(/[-.\d]+$/, '');
  return isBourneShell(family) || otherShell.test(family);
}

/** Where a command starts behind its keywords and assignments, and the word that names its program. */
function findProgram(words: readonly Word[]): {
  start: number;
  program: number;
  /** False if what stands before the program could be a value of an option, and the program a later word. */
  isCertain: boolean;
} {
  let start = 0;
  while (keywords.has(words[start]?.text ?? '')) start++;
  while (assignment.test(words[start]?.text ?? '')) start++;
  let program = start;
  let isCertain = true;
  for (let word = words[program]; word && wrappers.has(getName(word)); word = words[program]) {
    const withoutValue = wrappers.get(getName(word));
    if (!withoutValue) isCertain = false;
    for (word = words[++program]; word; word = words[++program]) {
      if (withoutValue?.test(word.text)) isCertain &&= word.isFixed;
      else if (/^[-+\d]/.test(word.text) || assignment.test(word.text)) isCertain = false;
      else break;
    }
  }
  return { start, program, isCertain };
}

/** Whether what a word names is known: neither a value, nor an expansion, nor a list of words. */
function isKnown(word: Word): boolean {
  return word.isFixed && isLiteral(word) && !/[\s\uFFFC]/.test(word.text);
}

/** Whether the name in a word, without its folders, is not expanded. */
function isLiteral({ text, literalFrom }: Word): boolean {
  return literalFrom === 0 || text.lastIndexOf('/') >= literalFrom;
}

/** What a word names, without the folders before it. */
function getName(word: Word, from = 0): string {
  return word.text.slice(Math.max(from, isLiteral(word) ? word.text.lastIndexOf('/') + 1 : 0));
}

/** Where the value begins in a word such as `--entrypoint=bash`. */
function getOptionValueStart({ text }: Word): number {
  return /^-[^=]*=/.exec(text)?.[0].length ?? 0;
}
