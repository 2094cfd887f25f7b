import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { withTimeout } from '../../timeouts.js';
import { describeEnd, type ProcessEnd, startProcess } from '../process-group.js';
import { type GuardOrders, getHeartbeatInterval, goodbye, heartbeat } from './guard-protocol.js';

export interface GuardOptions extends GuardOrders {
  /** Called with a description when a guard ends unasked. Another one takes its place. */
  onLost?: (end: string) => void;
}

/** A process that ends what we leave behind, should we be killed or frozen. */
export interface Guard {
  /** Dismisses the guard: this process is unguarded from now on. Settles when it has exited. */
  close(): Promise<void>;
}

/** In milliseconds: a guard that cannot live is not started more often. */
const minStartInterval = 1_000;
/** In milliseconds: how long one may take to leave. */
const exitTimeout = 2_000;

/** Has to be called by the owner itself: the guard hears of its end by a pipe that ends with it. */
export function startGuard({ onLost, ...orders }: GuardOptions): Guard {
  let isClosed = false;
  let guard: ChildProcess;
  let nextStart: NodeJS.Timeout | undefined;

  const start = () => {
    const started = performance.now();
    guard = startProgram(orders);
    const lost = (end: ProcessEnd) => {
      if (isClosed) return;
      nextStart = setTimeout(
        start,
        Math.max(0, started + minStartInterval - performance.now()),
      ).unref();
      onLost?.(describeEnd(end));
    };
    guard.once('exit', (code, signal) => lost({ code, signal }));
    guard.once('error', (error) => {
      if (guard.pid === undefined) lost({ code: null, signal: null, error });
    });
  };
  start();
  // The heartbeat stands for the event loop of this process, which may be stuck without being frozen.
  const beats = setInterval(
    () => sendHeartbeat(guard),
    getHeartbeatInterval(orders.silenceMs),
  ).unref();

  return {
    close: async () => {
      isClosed = true;
      clearInterval(beats);
      clearTimeout(nextStart);
      await dismissGuard(guard);
    },
  };
}

function startProgram(orders: GuardOrders): ChildProcess {
  // The build puts it beside the chunk with this function.
  const program = path.join(import.meta.dirname, 'process-guard.cjs');
  const guard = startProcess(process.execPath, [program, JSON.stringify(orders)], {
    // A session of its own: what is typed at our terminal is not meant for it.
    detached: true,
    cwd: '/',
    env: guardEnvironment(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // We may end without it, and it notices.
  guard.unref();
  // Writing to a guard that is gone fails; its end is handled by the exit event.
  guard.stdin?.on('error', () => {});
  return guard;
}

/** Neither secrets nor options of Node, and no mark: what we started is killed by that, in the end. */
function guardEnvironment(): NodeJS.ProcessEnv {
  const needed = ['PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'];
  return Object.fromEntries(needed.map((name) => [name, process.env[name]]));
}

/** Skipped while the last heartbeat is unread: a frozen guard need not get them all later. */
function sendHeartbeat({ stdin }: ChildProcess): void {
  if (stdin?.writable && stdin.writableLength === 0) stdin.write(heartbeat);
}

async function dismissGuard(guard: ChildProcess): Promise<void> {
  const isGone = guard.pid === undefined || guard.exitCode !== null || guard.signalCode !== null;
  if (isGone) return;
  guard.ref();
  const left = once(guard, 'exit');
  guard.stdin?.end(goodbye);
  if (await withTimeout(exitTimeout, left)) return;
  guard.kill('SIGKILL');
  await left;
}
