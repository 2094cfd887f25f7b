import { closeSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  formatOwnMark,
  formatRunMark,
  formatStarterMark,
  getStartTime,
  isRunning,
  type ProcessIdentity,
} from './process-identity.js';

/** Milliseconds to leave in after SIGTERM. */
const grace = 2_000;
const lookAgainAfter = 20;
/** What starts new processes faster than one can look is not what agents do; dying takes a moment. */
const maxLooks = 100;

/** The signs by which leftovers are recognised. */
export interface LeftoverSigns {
  /** Groups that were noted: those that are still the same processes. */
  ledger?: readonly ProcessIdentity[];
  /** Processes with the mark of this run in their environment, where the system shows it. */
  runId?: string;
  /** Processes that this process of Proctor started, where the system shows it. */
  startedBy?: ProcessIdentity;
  /** Whatever we started ourselves is not left, although it belongs to the same run. */
  spareOwn?: boolean;
  /** Whatever belongs to one of these runs is not left either: their turn has yet to come. */
  spareRuns?: readonly string[];
}

/** Stops what is left of a run, and returns how many processes that were. */
export async function stopLeftovers(signs: LeftoverSigns): Promise<number> {
  const asked = signalAll(signs, 'SIGTERM');
  if (asked.length === 0) return 0;
  const patience = performance.now() + grace;
  while (leftoversOf(signs).length > 0 && performance.now() < patience) await delay(lookAgainAfter);
  const killed = await killLeftovers(signs);
  return new Set([...asked, ...killed].map(Math.abs)).size;
}

/** Kills leftovers without asking them to exit, until none is left, and returns their pids. */
export async function killLeftovers(signs: LeftoverSigns): Promise<number[]> {
  const killed: number[] = [];
  for (let look = 0; look < maxLooks; look++) {
    const found = signalAll(signs, 'SIGKILL');
    if (found.length === 0) break;
    killed.push(...found);
    await delay(lookAgainAfter);
  }
  return killed;
}

/** Kills at once whatever this process started, for an exit that cannot wait. */
export function killOwnLeftovers(): void {
  for (const pid of findProcessesWith([formatOwnMark()])) sendSignal(pid, 'SIGKILL');
}

/** Returns the pids that were signalled. A negative number is a group, by its leader. */
function signalAll(signs: LeftoverSigns, signal: NodeJS.Signals): number[] {
  const found = leftoversOf(signs);
  for (const pid of found) sendSignal(pid, signal);
  return found;
}

function leftoversOf(signs: LeftoverSigns): number[] {
  const { ledger = [], runId, startedBy, spareOwn = false, spareRuns = [] } = signs;
  const marks = [
    ...(runId === undefined ? [] : [formatRunMark(runId)]),
    ...(startedBy ? [formatStarterMark(startedBy)] : []),
  ];
  return [
    ...ledger.filter(isRunning).map(({ pid }) => -pid),
    ...findProcessesWith(marks, [
      ...(spareOwn ? [formatOwnMark()] : []),
      ...spareRuns.map(formatRunMark),
    ]),
  ];
}

/** Works on Linux only. Leaves out this process itself, even if such a run started it. */
function findProcessesWith(marks: readonly string[], spared: readonly string[] = []): number[] {
  if (process.platform !== 'linux' || marks.length === 0) return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = /^\d+$/.test(name) ? Number(name) : undefined;
    if (pid === undefined || pid === process.pid) return [];
    const environment = readEnvironment(pid);
    if (spared.some((mark) => environment.includes(mark))) return [];
    return marks.some((mark) => environment.includes(mark)) ? [pid] : [];
  });
}

function readEnvironment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to another user.
    return [];
  }
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}

/** Ids of the runs that this process executes at the moment, or has started something for. */
const ownRuns = new Set<string>();

/**
 * Registers a run of this process, so that others which end before it spare its processes. Returns how to end
 * that.
 */
export function registerRun(id: string): () => void {
  ownRuns.add(id);
  return () => void ownRuns.delete(id);
}

/** The other runs of this process: what belongs to them is not left by this one. */
export function listOtherRuns(id: string): string[] {
  return [...ownRuns].filter((other) => other !== id);
}

/** File descriptors of the open ledgers, one for each run. */
const ledgers = new Set<number>();

/**
 * From now on every process group is recorded in a file as soon as it starts, so that the next run
 * or the guard knows what to stop if this process is killed. Returns how to end that.
 */
export function openProcessLedger(path: string): () => void {
  const ledger = openSync(path, 'a', 0o600);
  ledgers.add(ledger);
  return () => {
    if (ledgers.delete(ledger)) closeSync(ledger);
  };
}

/** Records a process in every ledger: if this process is killed, all that it started is left. */
export function noteProcess(pid: number): void {
  if (ledgers.size === 0) return;
  const startTime = getStartTime(pid);
  // It has ended already.
  if (startTime === undefined) return;
  for (const ledger of ledgers) {
    try {
      writeSync(ledger, `${pid} ${startTime}\n`);
    } catch {
      // A full disk: the journal says so in a moment, and ends the run in an orderly way.
    }
  }
}

/** The processes of a ledger. A line that was not finished counts for nothing. */
export function readLedger(path: string): ProcessIdentity[] {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return [];
  }
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => {
      const [pid = '', ...startTime] = line.split(' ');
      return /^\d+$/.test(pid) ? [{ pid: Number(pid), startTime: startTime.join(' ') }] : [];
    });
}
