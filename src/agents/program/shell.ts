import { isBourneShell } from '../../base/processes/find-program.js';

/**
 * `$SHELL`, or bash. Also bash where `$SHELL` is fish or the like: its rules for quotes are others,
 * and the same command line could execute what is meant to be data.
 */
export function shellOf({ SHELL }: NodeJS.ProcessEnv): string {
  return SHELL !== undefined && isBourneShell(SHELL) ? SHELL : 'bash';
}
