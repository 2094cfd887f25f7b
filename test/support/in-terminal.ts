import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { type ProcessOptions, proctorProgram, testNode } from './proctor-process.js';

/** Runs `proctor` in a terminal, and tells every byte that the terminal got. */
export async function proctorInTerminal(
  commandLine: readonly string[],
  { cwd, env, columns = 120 }: Pick<ProcessOptions, 'cwd' | 'env'> & { columns?: number },
): Promise<string> {
  const words = [testNode, proctorProgram, ...commandLine].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  // The exit code is that of the command: here it may be any.
  const { stdout } = await promisify(execFile)(
    'script',
    ['-qc', `stty cols ${columns} rows 40; ${words.join(' ')}`, '/dev/null'],
    {
      cwd,
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout;
}

/** Runs `proctor` in a terminal, and types each answer when its question is there. */
export async function answerInTerminal(
  commandLine: readonly string[],
  answers: [question: string, answer: string][],
  cwd: string,
): Promise<{ exitCode: number | null; seen: string }> {
  const command = [testNode, proctorProgram, ...commandLine].join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', HOME: inject('homeFolder') },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let seen = '';
  child.stdout.on('data', (chunk) => {
    seen += chunk;
    const [next] = answers;
    if (!next || !seen.includes(next[0])) return;
    answers.shift();
    child.stdin.write(next[1]);
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, seen };
}
