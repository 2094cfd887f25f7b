import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same pid. */
export interface ProcessIdentity {
  pid: number;
  /** As the operating system reports it. */
  startTime: string;
}

/** When a process started, in a form that is only good for comparing; undefined if there is none. */
export function getStartTime(pid: number): string | undefined {
  return process.platform === 'linux' ? readProc(pid) : askPs(pid);
}

export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return getStartTime(pid) === startTime;
}

export function getOwnIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: getStartTime(process.pid) ?? 'unknown' };
}

/** Ticks since the machine started. A name with spaces and brackets stands before, in brackets. */
function readProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie does nothing any more, and only waits to be reaped.
    return state === 'Z' ? undefined : `${getBootId()}/${fields[18]}`;
  } catch {
    return undefined;
  }
}

let knownBootId: string | undefined;

/** Ticks start anew with the machine. */
function getBootId(): string {
  knownBootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  return knownBootId;
}

function askPs(pid: number): string | undefined {
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
    // A process of another user exists as well.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/*
 * Variables by which everything that Proctor starts is recognised, whatever group it is in. An agent
 * sees them: neither their names nor their values say what they are for.
 */
const runVariable = '_D1';
const starterVariable = '_D2';

/** Marks what belongs to one run: added to the environment of whatever the run starts. */
export function makeRunMarkVariables(runId: string): NodeJS.ProcessEnv {
  return { [runVariable]: hashText(runId) };
}

/** Whether an environment has the mark of one of these runs. */
export function hasRunMark(environment: NodeJS.ProcessEnv, runIds: readonly string[]): boolean {
  return runIds.some((id) => environment[runVariable] === hashText(id));
}

/** The mark of a run, as it stands in an environment. */
export function formatRunMark(runId: string): string {
  return `${runVariable}=${hashText(runId)}`;
}

/**
 * Marks what this process has started: it may be one of several that work on a run, or on none.
 */
export function makeOwnMarkVariables(): NodeJS.ProcessEnv {
  return { [starterVariable]: getOwnMarkValue() };
}

/** The mark of what one process of Proctor started, as it stands in an environment. */
export function formatStarterMark(identity: ProcessIdentity): string {
  return `${starterVariable}=${hashIdentity(identity)}`;
}

export function formatOwnMark(): string {
  return `${starterVariable}=${getOwnMarkValue()}`;
}

let knownValue: string | undefined;

function getOwnMarkValue(): string {
  knownValue ??= hashIdentity(getOwnIdentity());
  return knownValue;
}

function hashIdentity({ pid, startTime }: ProcessIdentity): string {
  return hashText(`${pid} ${startTime}`);
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
