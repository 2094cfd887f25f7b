import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** As the operating system tells it. */
  startTime: string;
}

/** When a process started, in a form that is only good for comparing; undefined if there is none. */
export function startTimeOf(pid: number): string | undefined {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
}

export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return startTimeOf(pid) === startTime;
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? 'unknown' };
}

/** Ticks since the machine started. A name with spaces and brackets stands before, in brackets. */
function fromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie does nothing any more, and only waits for somebody to notice.
    return state === 'Z' ? undefined : `${bootId()}/${fields[18]}`;
  } catch {
    return undefined;
  }
}

let knownBootId: string | undefined;

/** Ticks start anew with the machine. */
function bootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return knownBootId;
}

function fromPs(pid: number): string | undefined {
  if (!isTaken(pid)) return undefined;
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH ?? '/bin:/usr/bin', LC_ALL: 'C' },
    });
    return started.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Asking `ps` takes long, and of the processes of a ledger most have ended. */
function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's counts.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
