import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type ProcessOptions, proctorProgram, testNode } from './proctor-process.js';

/** Runs `proctor` in a terminal, and tells every byte that the terminal got. */
export async function proctorInTerminal(
  commandLine: readonly string[],
  { cwd, env }: Pick<ProcessOptions, 'cwd' | 'env'>,
): Promise<string> {
  const words = [testNode, proctorProgram, ...commandLine].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  // The exit code is that of the command: here it may be any.
  const { stdout } = await promisify(execFile)(
    'script',
    ['-qc', `stty cols 120 rows 40; ${words.join(' ')}`, '/dev/null'],
    {
      cwd,
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout;
}
