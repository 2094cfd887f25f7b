import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { type ProcessIdentity, startTimeOf } from './process-identity.js';

let ledger: number | undefined;

/**
 * From now on every process group is noted in a file, before anything else can happen: whoever
 * finds the file after we were killed knows what to stop.
 */
export function openLedger(path: string): void {
  closeLedger();
  ledger = openSync(path, 'a', 0o600);
}

export function closeLedger(): void {
  if (ledger !== undefined) closeSync(ledger);
  ledger = undefined;
}

export function noteProcess(pid: number): void {
  if (ledger === undefined) return;
  const startTime = startTimeOf(pid);
  // It has ended already.
  if (startTime === undefined) return;
  try {
    writeSync(ledger, `${pid} ${startTime}\n`);
  } catch {
    // A full disk: the journal says so in a moment, and ends the run in an orderly way.
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
