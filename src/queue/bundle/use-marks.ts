import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getOwnIdentity, getStartTime } from '../../base/processes/process-identity.js';
import { sha256Of } from './manifest.js';

type Purpose = 'use' | 'removal';

/**
 * Says which processes use or remove what. A mark is an empty file whose name tells everything, so it is
 * there as a whole or not at all; marks of processes that are gone count for nothing.
 *
 * Who wants to use something marks it and then looks for removals; who wants to remove it marks that and
 * then looks for uses. Whichever comes first, at least one of them sees the other.
 */
export class UseMarks {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Gives what takes the mark away. */
  async set(name: string, purpose: Purpose): Promise<() => Promise<void>> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, `${name}.${purpose}.${ownName()}`);
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return () => rm(path, { force: true });
  }

  /** Whether a process that is still there has set one. */
  async has(name: string, purpose: Purpose): Promise<boolean> {
    const start = `${name}.${purpose}.`;
    let isSet = false;
    for (const mark of await readdir(this.#folder).catch(() => [])) {
      if (!mark.startsWith(start)) continue;
      if (isOfRunning(mark.slice(start.length))) isSet = true;
      else await rm(join(this.#folder, mark), { force: true }).catch(() => {});
    }
    return isSet;
  }
}

/** A name that no other process gives, and none gives twice. */
export function ownName(): string {
  const { pid, startTime } = getOwnIdentity();
  return `${pid}.${shortened(startTime)}.${randomUUID()}`;
}

/** Whether the process is still there that gave the name. */
export function isOfRunning(name: string): boolean {
  const [, pid, started] = /^(\d+)\.([0-9a-f]+)\.[0-9a-f-]{36}$/.exec(name) ?? [];
  if (pid === undefined) return false;
  const startTime = getStartTime(Number(pid));
  return startTime !== undefined && shortened(startTime) === started;
}

function shortened(startTime: string): string {
  return sha256Of(startTime).slice(0, 16);
}
