import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path, { basename } from 'node:path';

/**
 * The file that a command names: a path, from the current directory, or a program on PATH.
 * Undefined if there is none that can be executed.
 */
export async function findProgram(
  command: string,
  { PATH = '' }: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folders = command.includes(path.sep) ? ['.'] : PATH.split(path.delimiter);
  for (const folder of folders) {
    const file = path.resolve(folder, command);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** The shells that read quotes and scripts as `sh` does. */
const bourneShell = /^(?:sh|bash|dash|ash|zsh|ksh\d*|mksh|oksh|yash)$/;

/** Whether a program takes shell scripts: neither `false` and `nologin` do, nor `fish`, which has another language. */
export function isBourneShell(program: string): boolean {
  return bourneShell.test(basename(program));
}
