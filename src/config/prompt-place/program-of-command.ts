import { isNothingButValues, type Word } from './shell-word.js';

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

export function isAssignment({ text }: Word): boolean {
  return assignment.test(text);
}

/** The index of the first word that is no assignment, or -1. */
export function firstIndex(words: Word[]): number {
  return words.findIndex((word) => !isAssignment(word));
}

/** The index of the word that names the program, behind assignments and wrappers, up to a limit. */
export function programIndex(words: Word[], limit: number): number {
  let index = firstIndex(words);
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
  return isValue || wrappers.has(programName(word));
}

/** The name of the program that a word or the default of an expansion names. */
export function programName({ text }: Word): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return name.startsWith('$') ? name : name.replace(/\}$/, '');
}
