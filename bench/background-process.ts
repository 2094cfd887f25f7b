import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { benchNode } from './process-time.js';

interface Program {
  /** For its log in the folder, and for messages. */
  name: string;
  /** Arguments of Node. */
  commandLine: string[];
  env?: Record<string, string>;
  folder: string;
  /** Where it says that it is ready, and what it says then. Its other output goes into the log. */
  ready: { on: 'stdout' | 'stderr'; pattern: RegExp };
}

export interface BackgroundProcess {
  pid: number;
  /** What the pattern of `ready` caught. */
  said: string;
  stop(): Promise<void>;
}

const startWithinMs = 20_000;
const stopWithinMs = 20_000;

/** Starts a Node program that runs until it is stopped; resolves when it is ready. */
export async function startProgram(program: Program): Promise<BackgroundProcess> {
  const { name, commandLine, env = {}, folder, ready } = program;
  const logFile = path.join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn(benchNode, commandLine, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['ignore', ready.on === 'stdout' ? 'pipe' : log, ready.on === 'stderr' ? 'pipe' : log],
  });
  closeSync(log);
  try {
    const said = await firstMatch(child, ready);
    return { pid: child.pid ?? 0, said, stop: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw new Error(`${name} ${(error as Error).message}\n${await readFile(logFile, 'utf8')}`);
  }
}

function firstMatch(child: ChildProcess, { on, pattern }: Program['ready']): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${reason}:\n${output}`));
    const timer = setTimeout(() => fail('was not ready in time'), startWithinMs);
    let output = '';
    child[on]?.on('data', (data: Buffer) => {
      output = `${output}${data}`.slice(-10_000);
      const [, caught] = pattern.exec(output) ?? [];
      if (caught === undefined) return;
      clearTimeout(timer);
      resolve(caught);
    });
    child.once('error', ({ message }) => fail(`could not be started (${message})`));
    child.once('exit', () => fail('ended before it was ready'));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(timer);
}
