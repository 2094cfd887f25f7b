import type { Readable } from 'node:stream';
import { type ProcessEnd, ProcessGroup } from '../../base/processes/process-group.js';
import { withTimeout } from '../../base/timeouts.js';

interface AgentProcess {
  command: string;
  args: readonly string[];
  cwd?: string;
  environment: NodeJS.ProcessEnv;
  /** What it reads; nothing: its input is empty. */
  input?: string;
  signal: AbortSignal;
  /** Takes what it writes, as it comes. */
  onOutput(chunk: Buffer): void;
  onLog(chunk: Buffer): void;
}

/** `undefined`: it was stopped, or never started, because of the signal. */
export type AgentProcessEnd = ProcessEnd | undefined;

/** How long everybody in the group may take to leave, in milliseconds. */
const grace = { endOfInput: 0, terminate: 5_000 };

/** How long what the process left running may keep its output open, in milliseconds. */
const drainTime = 1_000;

/** Runs a program to its end and leaves nothing of it behind. */
export async function runAgentProcess(options: AgentProcess): Promise<AgentProcessEnd> {
  const { command, args, cwd, environment, input, signal } = options;
  if (signal.aborted) return undefined;
  const group = new ProcessGroup(command, args, {
    cwd,
    env: environment,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = group.child;
  // It may well end before it has read everything.
  stdin?.on('error', () => {});
  stdin?.end(input);
  const closed = Promise.all([
    readToEnd(stdout, options.onOutput),
    readToEnd(stderr, options.onLog),
  ]);
  let onAbort = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
  });
  signal.addEventListener('abort', onAbort);
  const end = await Promise.race([group.ended, aborted]);
  if (end === undefined) {
    await group.stop(grace);
  } else if (end.error === undefined) {
    await withTimeout(drainTime, Promise.race([closed, aborted]));
  }
  group.kill();
  // Whoever left the group may hold the output open for ever.
  await withTimeout(drainTime, Promise.all([group.ended, closed]));
  stdout?.destroy();
  stderr?.destroy();
  signal.removeEventListener('abort', onAbort);
  return end;
}

async function readToEnd(stream: Readable | null, take: (chunk: Buffer) => void): Promise<void> {
  // Of a process that could not be started.
  if (!stream) return;
  await new Promise<void>((resolve) => {
    stream.on('data', take);
    stream.on('error', () => resolve());
    stream.on('close', () => resolve());
  });
}
