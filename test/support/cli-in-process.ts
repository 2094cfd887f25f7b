import { createRequire } from 'node:module';
import path from 'node:path';
// Types only: what runs is the same that the launcher loads.
import type * as MainChunk from '../../src/cli/main.js';
import {
  type ProcessOptions,
  type ProcessResult,
  proctorProgram,
  runProctor,
} from './proctor-process.js';

const mainChunk = path.resolve(proctorProgram, '../chunks/main.cjs');

/** Commands that read files and print, and start nothing. */
const readers = new Set([
  ...['--help', 'compare', 'diff', 'help', 'list', 'result', 'schema', 'summary', 'validate'],
  ...['verify', 'view'],
]);

/** Options with which they do more than that. */
const busyOptions = new Set(['--connect', '--update-sources']);

/**
 * The tests on other Nodes run every command as a process, as users do. Otherwise a
 * process only to read a file would take most of the time of the tests: 200 ms of a core, where the
 * command itself takes ten.
 */
const isProcessWanted = process.env.PROCTOR_TEST_NODE !== undefined;

/** Runs `proctor` to its end: in this process if it only reads and prints, else as a program. */
export function runCommand(
  commandLine: string[],
  options: Pick<ProcessOptions, 'env'> & { cwd: string },
): Promise<ProcessResult> {
  const [command = ''] = commandLine;
  const isReader = readers.has(command) && !commandLine.some((word) => busyOptions.has(word));
  const isNodeChanged = options.env?.NODE_OPTIONS !== undefined;
  return isReader && !isNodeChanged && !isProcessWanted
    ? runInProcess(commandLine, options)
    : runProctor(commandLine, options);
}

/** The call before: the working directory and the signals are those of the whole process. */
let previous: Promise<unknown> = Promise.resolve();

/** Runs the built command line in this process, after the calls before it. */
export function runInProcess(
  commandLine: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<ProcessResult> {
  const call = previous.then(() => inFolder(cwd, () => callMain(commandLine, env)));
  previous = call.catch(() => {});
  return call;
}

async function callMain(commandLine: readonly string[], env: Record<string, string>) {
  const { main } = createRequire(import.meta.url)(mainChunk) as typeof MainChunk;
  const stdout: string[] = [];
  const stderr: string[] = [];
  const exitCode = await main(commandLine, {
    stdout: { write: (text) => stdout.push(text), isTerminal: false },
    stderr: { write: (text) => stderr.push(text), isTerminal: false },
    environment: { PATH: process.env.PATH, ...env },
  });
  return { exitCode, stdout: stdout.join(''), stderr: stderr.join('') };
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Commands leave it to the end of their process to forget where it is and what it listens for. */
async function inFolder<Result>(cwd: string, run: () => Promise<Result>): Promise<Result> {
  const folder = process.cwd();
  const listeners = stopSignals.map((signal) => process.listeners(signal));
  process.chdir(cwd);
  try {
    return await run();
  } finally {
    process.chdir(folder);
    for (const [index, signal] of stopSignals.entries()) {
      for (const listener of process.listeners(signal)) {
        if (!listeners[index]?.includes(listener)) process.off(signal, listener);
      }
    }
  }
}
