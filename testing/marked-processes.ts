import { readdirSync, readFileSync } from 'node:fs';

/** Processes that have this in their environment, such as `TMPDIR=/tmp/x`. */
export function markedProcesses(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    if (!read(name, 'environ').split('\0').includes(mark) || isKilled(name)) return [];
    return [{ pid: Number(name), command: read(name, 'cmdline').replaceAll('\0', ' ') }];
  });
}

/** On a busy machine, one that was killed takes its time to notice. */
function isKilled(pid: string): boolean {
  const pending = [...read(pid, 'status').matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)];
  return pending.some(([, mask = '0']) => (BigInt(`0x${mask}`) & sigkill) !== 0n);
}

/** Signal 9 in a mask that begins with signal 1. */
const sigkill = 1n << 8n;

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It has ended, or belongs to somebody else.
    return '';
  }
}
