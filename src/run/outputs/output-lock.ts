import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../../base/errors.js';
import {
  getOwnIdentity,
  getStartTime,
  isRunning,
  type ProcessIdentity,
} from '../../base/processes/process-identity.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import { cleanUpAfterProcess } from '../resume/leftovers.js';
import type { OutputFiles } from './output-files.js';

/** Keeps other processes from writing these files until they are released. Throws UsageError. */
export async function lockOutputs(
  outputs: readonly OutputFiles[],
): Promise<{ release(): Promise<void> }> {
  const locks: OutputLock[] = [];
  const release = async () => {
    for (const lock of locks) await lock.release();
  };
  try {
    for (const files of outputs) locks.push(await lockOutput(files));
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

async function lockOutput({ results, journal }: OutputFiles): Promise<OutputLock> {
  try {
    return await OutputLock.take(results, journal);
  } catch (error) {
    if (error instanceof OutputInUseError) {
      throw new UsageError(error.message, 'wait for it, or choose another file with --out');
    }
    throw new UsageError(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
  }
}

/** Another Proctor writes to the same files. */
class OutputInUseError extends Error {
  constructor(path: string, pid: number) {
    super(`${path} is in use: process ${pid} is running a check that writes to it`);
    this.name = 'OutputInUseError';
  }
}

export function nameLock(journal: string): string {
  return `${journal}.lock`;
}

/**
 * Keeps two checks from writing the same files. Made by linking a finished file into place, which
 * happens as a whole or not at all; a lock whose process is gone counts for nothing.
 */
class OutputLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Throws OutputInUseError, or the error of the file system. The journal decides: results of several names
   * (`out.json`, `out.txt`) would have the same one beside them.
   */
  static async take(results: string, journal: string): Promise<OutputLock> {
    await refuseUnlessFile(results);
    const path = nameLock(journal);
    const tempFile = nameTempFile(path);
    try {
      await writeFile(tempFile, JSON.stringify(getOwnIdentity()), { flag: 'wx', mode: 0o600 });
      for (;;) {
        if (await tryLink(tempFile, path)) {
          for (const file of [results, journal]) await removeStaleTempFiles(file);
          return new OutputLock(path);
        }
        const holder = await readHolder(path);
        if (holder && isRunning(holder)) throw new OutputInUseError(results, holder.pid);
        // Before the lock is removed, so that it is not forgotten if this process is killed here.
        if (holder) await cleanUpAfterProcess(holder);
        await removeStaleLock(path, holder);
      }
    } finally {
      await rm(tempFile, { force: true });
    }
  }

  async release(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}

/** Checked now: later, the results file would be renamed over it, and /dev/null would be gone. */
async function refuseUnlessFile(results: string): Promise<void> {
  const found = await stat(results).catch(() => undefined);
  if (!found || found.isFile()) return;
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  throw new Error('it is not a regular file: choose another one');
}

async function tryLink(tempFile: string, path: string): Promise<boolean> {
  try {
    await link(tempFile, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Undefined if the lock was just released, or is no lock of Proctor at all. */
async function readHolder(path: string): Promise<ProcessIdentity | undefined> {
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

/** Another process may have found it stale too, and taken it in the meantime: that one is put back. */
async function removeStaleLock(path: string, stale: ProcessIdentity | undefined): Promise<void> {
  const aside = nameTempFile(path);
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = await readHolder(aside);
  const isSame = moved?.pid === stale?.pid && moved?.startTime === stale?.startTime;
  if (!isSame) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** A file to be put in the place of another one. Its name says which process it belongs to. */
function nameTempFile(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}`;
}

/** Removes temp files of results or journal that killed processes did not put into place. Only for the holder of the lock. */
async function removeStaleTempFiles(path: string): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!entry.startsWith(`${name}.`) || !isStaleEnding(entry.slice(name.length + 1))) continue;
    await rm(join(folder, entry), { force: true }).catch(() => {});
  }
}

/**
 * Whether a file with this ending is a temp file of a process that is gone. The new holder of the lock asks before it writes
 * anything, so every temp file of results is one. Those of locks say by their pid.
 */
function isStaleEnding(ending: string): boolean {
  if (/^[0-9a-f-]{36}\.tmp$/.test(ending)) return true;
  const [, pid] = /^lock\.(\d+)\.[0-9a-f-]{36}$/.exec(ending) ?? [];
  return pid !== undefined && getStartTime(Number(pid)) === undefined;
}
