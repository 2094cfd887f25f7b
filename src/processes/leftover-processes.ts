import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.js';
import { ownMark, runIdVariable, startedByMark } from './process-marks.js';

/** Milliseconds to leave in after SIGTERM. */
const grace = 2_000;
const lookAgainAfter = 20;

/** By which leftovers are recognised. */
export interface LeftoverSigns {
  /** Groups that were noted: those that are still the same processes. */
  ledger?: readonly ProcessIdentity[];
  /** Whatever has this id in its environment, where the system tells. */
  runId?: string;
  /** Whatever this process of Proctor started, where the system tells. */
  startedBy?: ProcessIdentity;
  /** Whatever we started ourselves is not left, although it belongs to the same run. */
  spareOwn?: boolean;
}

/** Stops what is left of a run, and tells how many processes that were. */
export async function stopLeftovers(signs: LeftoverSigns): Promise<number> {
  const { ledger = [], runId, startedBy, spareOwn = false } = signs;
  const marks = [
    ...(runId === undefined ? [] : [`${runIdVariable}=${runId}`]),
    ...(startedBy ? [startedByMark(startedBy)] : []),
  ];
  const stopped = new Set<number>();
  const spared = spareOwn ? ownMark() : undefined;
  const left = () => [
    ...ledger.filter(isRunning).map(({ pid }) => -pid),
    ...processesWith(marks, spared),
  ];
  const signalAll = (signal: NodeJS.Signals) => {
    const found = left();
    for (const pid of found) {
      stopped.add(Math.abs(pid));
      send(pid, signal);
    }
    return found.length > 0;
  };
  if (!signalAll('SIGTERM')) return 0;
  const patience = performance.now() + grace;
  while (left().length > 0 && performance.now() < patience) await delay(lookAgainAfter);
  // What starts new processes faster than one can look is not what agents do: a few looks are enough.
  for (let look = 0; look < 5 && signalAll('SIGKILL'); look++) await delay(lookAgainAfter);
  return stopped.size;
}

/** At once, whatever we started: for an end that waits for nobody. */
export function killOwnLeftovers(): void {
  for (const pid of processesWith([ownMark()])) send(pid, 'SIGKILL');
}

/** Only Linux tells; our own process is none of it, even if we were started by such a run. */
function processesWith(marks: readonly string[], spared?: string): number[] {
  if (process.platform !== 'linux' || marks.length === 0) return [];
  return readdirSync('/proc').flatMap((name) => {
    const pid = /^\d+$/.test(name) ? Number(name) : undefined;
    if (pid === undefined || pid === process.pid) return [];
    const environment = environmentOf(pid);
    if (spared !== undefined && environment.includes(spared)) return [];
    return marks.some((mark) => environment.includes(mark)) ? [pid] : [];
  });
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    // It has ended, or belongs to somebody else.
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime.
  }
}
