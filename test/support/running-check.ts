import { spawn } from 'node:child_process';
import {
  type ProcessOptions,
  type ProcessResult,
  proctorProgram,
  testNode,
} from './proctor-process.js';

/** A `proctor` that can be watched and stopped. */
export interface RunningCheck {
  pid: number;
  kill(signal: NodeJS.Signals): void;
  /** When its stderr has what is looked for. */
  says(text: string): Promise<void>;
  ended: Promise<ProcessResult & { signal: NodeJS.Signals | null }>;
}

export function startCheck(
  commandLine: readonly string[],
  { cwd, env, blocks }: Pick<ProcessOptions, 'cwd' | 'env'> & { blocks?: number },
): RunningCheck {
  const command = [testNode, proctorProgram, ...commandLine];
  // For a disk that is full one would have to be root.
  const limited = blocks === undefined ? command : limitedTo(blocks, command);
  const [program = '', ...args] = limited;
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stderr.includes(text)) resolve();
        };
        child.stderr.on('data', look);
        child.on('close', () => reject(new Error(`it never said ${text}, but:\n${stderr}`)));
        look();
      }),
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
    }),
  };
}

function limitedTo(blocks: number, command: readonly string[]): string[] {
  return ['/bin/sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', ...command];
}
