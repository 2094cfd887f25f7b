import { readdirSync, readFileSync } from 'node:fs';

/** Processes that have this in their environment, such as `TMPDIR=/tmp/x`. */
export function markedProcesses(mark: string): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    if (!read(name, 'environ').split('\0').includes(mark)) return [];
    return [{ pid: Number(name), command: read(name, 'cmdline').replaceAll('\0', ' ') }];
  });
}

function read(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // It has ended, or belongs to somebody else.
    return '';
  }
}
