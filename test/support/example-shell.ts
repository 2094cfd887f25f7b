import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { proctorProgram, testNode } from './proctor-process.js';

/**
 * A folder for PATH with programs that are shell scripts; `proctor` is the built one. To be made before
 * anything runs: a program cannot be started while it is written.
 */
export async function programs(
  folder: string,
  scripts: Record<string, string> = {},
): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin, { recursive: true });
  const all = { proctor: `exec '${testNode}' '${proctorProgram}' "$@"`, npm: ':', ...scripts };
  for (const [name, script] of Object.entries(all)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  return bin;
}

export interface ShellRun {
  cwd: string;
  /** Of `programs`. */
  bin: string;
  env?: Record<string, string>;
}

export interface ShellEnd {
  exitCode: number | null;
  log: string;
}

/** Runs a program to its end, with nothing of the tests' own environment. */
export function run(
  [program = '', ...args]: readonly string[],
  { cwd, bin, env = {} }: ShellRun,
): Promise<ShellEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: `${bin}:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    }
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, log }));
  });
}
