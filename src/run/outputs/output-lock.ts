import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  isRunning,
  ownIdentity,
  type ProcessIdentity,
  startTimeOf,
} from '../../base/processes/process-identity.js';
import { clearAfter } from '../resume/leftovers.js';

/** Another Proctor writes to the same files. */
export class OutputInUse extends Error {
  constructor(path: string, pid: number) {
    super(`${path} is in use: process ${pid} is running a check that writes to it`);
    this.name = 'OutputInUse';
  }
}

export function lockOf(journal: string): string {
  return `${journal}.lock`;
}

/**
 * Keeps two checks from writing the same files. Made by linking a finished file into place, which
 * happens as a whole or not at all; a lock whose process is gone counts for nothing.
 */
export class OutputLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Throws OutputInUse, or what the file system says. The journal decides: results of several names
   * (`out.json`, `out.txt`) would have the same one beside them.
   */
  static async take(output: string, journal: string): Promise<OutputLock> {
    await refuseNoFile(output);
    const path = lockOf(journal);
    const draft = draftOf(path);
    try {
      await writeFile(draft, JSON.stringify(ownIdentity()), { flag: 'wx', mode: 0o600 });
      for (;;) {
        if (await isLinked(draft, path)) {
          for (const file of [output, journal]) await removeAbandonedDrafts(file);
          return new OutputLock(path);
        }
        const holder = await holderOf(path);
        if (holder && isRunning(holder)) throw new OutputInUse(output, holder.pid);
        // First, so that it is not forgotten if we are killed here.
        if (holder) await clearAfter(holder);
        await removeStale(path, holder);
      }
    } finally {
      await rm(draft, { force: true });
    }
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** Found out only when the results take its place, it would be too late: /dev/null would be gone. */
async function refuseNoFile(output: string): Promise<void> {
  const found = await stat(output).catch(() => undefined);
  if (!found || found.isFile()) return;
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  throw new Error('it is no regular file: choose another one');
}

async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined if it was just released, or is not ours at all. */
async function holderOf(path: string): Promise<ProcessIdentity | undefined> {
  try {
    const holder: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isIdentity(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, startTime } = value as Partial<Record<string, unknown>>;
  return Number.isSafeInteger(pid) && typeof startTime === 'string';
}

/** Somebody else may have found it stale too, and taken it in the meantime: that one is put back. */
async function removeStale(path: string, stale: ProcessIdentity | undefined): Promise<void> {
  const aside = draftOf(path);
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = await holderOf(aside);
  const isSame = moved?.pid === stale?.pid && moved?.startTime === stale?.startTime;
  if (!isSame) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** A file to be put in the place of another one; whose it is can be told from its name. */
function draftOf(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}`;
}

/** Removes what killed processes did not come to put into place. Whoever calls this has the lock. */
async function removeAbandonedDrafts(output: string): Promise<void> {
  const folder = dirname(output);
  const name = basename(output);
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!entry.startsWith(`${name}.`) || !isAbandoned(entry.slice(name.length + 1))) continue;
    await rm(join(folder, entry), { force: true }).catch(() => {});
  }
}

/** Results are written by whoever has the lock, and that is nobody else. */
function isAbandoned(ending: string): boolean {
  if (/^[0-9a-f-]{36}\.tmp$/.test(ending)) return true;
  const [, pid] = /^lock\.(\d+)\.[0-9a-f-]{36}$/.exec(ending) ?? [];
  return pid !== undefined && startTimeOf(Number(pid)) === undefined;
}
