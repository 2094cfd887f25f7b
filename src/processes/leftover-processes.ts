import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning, type ProcessIdentity } from './process-identity.js';

/** The variable by which everything that a run starts is recognised, whatever group it is in. */
export const runIdVariable = 'PROCTOR_RUN_ID';

/** Milliseconds to leave in after SIGTERM. */
const grace = 2_000;
const lookAgainAfter = 20;

/**
 * Stops what is left of a run: the groups of its ledger that are still the same processes, and
 * where the system tells the environment of processes, all that carry the run's id.
 */
export async function stopLeftovers(
  ledger: readonly ProcessIdentity[],
  runId: string,
): Promise<number> {
  const stopped = new Set<number>();
  const signalAll = (signal: NodeJS.Signals) => {
    const groups = ledger.filter(isRunning).map(({ pid }) => -pid);
    const found = [...groups, ...processesWith(runId)];
    for (const pid of found) {
      stopped.add(Math.abs(pid));
      send(pid, signal);
    }
    return found.length > 0;
  };
  if (!signalAll('SIGTERM')) return 0;
  const patience = performance.now() + grace;
  const isLeft = () => ledger.some(isRunning) || processesWith(runId).length > 0;
  while (isLeft() && performance.now() < patience) await delay(lookAgainAfter);
  // What starts new processes faster than one can look is not what agents do: a few looks are enough.
  for (let look = 0; look < 5 && signalAll('SIGKILL'); look++) await delay(lookAgainAfter);
  return stopped.size;
}

/** Only Linux tells; our own processes are none of it, even if we were started by such a run. */
function processesWith(runId: string): number[] {
  if (process.platform !== 'linux') return [];
  const entry = `${runIdVariable}=${runId}`;
  return readdirSync('/proc').flatMap((name) => {
    const pid = /^\d+$/.test(name) ? Number(name) : undefined;
    const isOther = pid !== undefined && pid !== process.pid;
    return isOther && environmentOf(pid).includes(entry) ? [pid] : [];
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
