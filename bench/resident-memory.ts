import { execFileSync } from 'node:child_process';

/** Megabytes of a process that are in memory right now. */
export function residentMemory(pid: number): number {
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kilobytes) / 1024;
}
