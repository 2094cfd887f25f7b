import { main } from '../../src/cli/main.js';
import type { ProcessResult } from './proctor-process.js';

interface InProcessOptions {
  cwd: string;
  /** The whole environment, as the command sees it. */
  env?: Record<string, string>;
}

/**
 * Runs the command line in this process, which takes milliseconds where a process takes a third of a
 * second. For commands that read files and print: what starts processes, waits for signals or ends
 * itself has to be a process. Calls must not overlap, as they change the working directory.
 */
export async function proctorInProcess(
  commandLine: readonly string[],
  { cwd, env = {} }: InProcessOptions,
): Promise<ProcessResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const exitCode = await main(commandLine, {
      stdout: { write: (text) => stdout.push(text), isTerminal: false },
      stderr: { write: (text) => stderr.push(text), isTerminal: false },
      environment: env,
    });
    return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    process.chdir(before);
  }
}
