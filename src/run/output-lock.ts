import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRunning, ownIdentity, type ProcessIdentity } from '../processes/process-identity.js';
import { clearAfter } from './resume/clear-after.js';

/** Another Proctor writes to the same files. */
export class OutputInUse extends Error {
  constructor(path: string, pid: number) {
    super(`${path} is in use: process ${pid} is running a check that writes to it`);
    this.name = 'OutputInUse';
  }
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

  /** Throws OutputInUse, or what the file system says. */
  static async take(output: string): Promise<OutputLock> {
    const path = `${output}.lock`;
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(ownIdentity()), { flag: 'wx', mode: 0o600 });
    try {
      for (;;) {
        if (await isLinked(draft, path)) return new OutputLock(path);
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

async function isLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function holderOf(path: string): Promise<ProcessIdentity | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity;
  } catch {
    // Just released, or not ours at all.
    return undefined;
  }
}

/** Somebody else may have found it stale too, and taken it in the meantime: that one is put back. */
async function removeStale(path: string, stale: ProcessIdentity | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
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
