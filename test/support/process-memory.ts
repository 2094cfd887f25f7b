import { readFile } from 'node:fs/promises';

export const mebibyte = 1024 * 1024;

/** What a process has in memory, in bytes. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}
