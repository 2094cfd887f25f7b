import { spawn } from 'node:child_process';
import path from 'node:path';

/** The built program. */
export const proctorProgram = path.resolve(import.meta.dirname, '../../dist/proctor.cjs');

/** The Node that runs it: the one of the tests, unless PROCTOR_TEST_NODE names another. */
export const testNode = process.env.PROCTOR_TEST_NODE ?? process.execPath;

export interface ProcessResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

export interface ProcessOptions {
  program?: string;
  cwd?: string;
  /** The whole environment besides PATH: nothing of the tests' own gets through. */
  env?: Record<string, string>;
}

/** Runs `proctor` to its end. */
export function runProctor(
  commandLine: string[],
  { program = proctorProgram, cwd, env = {} }: ProcessOptions = {},
): Promise<ProcessResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(testNode, [program, ...commandLine], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => stdout.push(data));
    child.stderr.on('data', (data: Buffer) => stderr.push(data));
    child.on('error', reject);
    child.on('close', (exitCode) => {
      resolve({
        exitCode,
        stdout: Buffer.concat(stdout).toString(),
        stderr: Buffer.concat(stderr).toString(),
      });
    });
  });
}
