import { basename } from 'node:path';

/** Those that read quotes the way the prompt's place in a command line was found. */
const bourneShell = /^(?:sh|bash|dash|ash|zsh|ksh\d*|mksh|oksh|yash)$/;

/**
 * `$SHELL`, or bash. Also bash where `$SHELL` is fish or the like: its rules for quotes are others,
 * and the same command line could execute what is meant to be data.
 */
export function shellOf({ SHELL }: NodeJS.ProcessEnv): string {
  return SHELL !== undefined && bourneShell.test(basename(SHELL)) ? SHELL : 'bash';
}
