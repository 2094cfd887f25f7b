import { basename } from 'node:path';

/** Those that read quotes and scripts as `sh` does. */
const bourneShell = /^(?:sh|bash|dash|ash|zsh|ksh\d*|mksh|oksh|yash)$/;

/** Whether a program takes shell scripts: neither `false` and `nologin` do, nor `fish`, which has another language. */
export function isBourneShell(program: string): boolean {
  return bourneShell.test(basename(program));
}
