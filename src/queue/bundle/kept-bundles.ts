import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getOwnIdentity, getStartTime } from '../../base/processes/process-identity.js';
import { sha256Of } from './manifest.js';

const bundleName = /^[0-9a-f]{32}-\d+$/;

/** The folder of the cache: which bundles are in it, who uses them, and which may go. */
export class KeptBundles {
  readonly marks: UseMarks;
  /** For folders on their way in or out. They have the name of who made them. */
  readonly drafts: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.marks = new UseMarks(join(folder, 'in-use'));
    this.drafts = join(folder, 'unfinished');
  }

  async has(name: string): Promise<boolean> {
    return (await lstat(join(this.#folder, name)).catch(() => undefined)) !== undefined;
  }

  /** Removes it unless it is in use. Moved away first, so that no process finds half of it. */
  async remove(name: string): Promise<boolean> {
    const unmark = await this.marks.set(name, 'removal');
    try {
      if (await this.marks.has(name, 'use')) return false;
      const draft = join(this.drafts, ownName());
      await rename(join(this.#folder, name), draft);
      await rm(draft, { recursive: true, force: true });
      return true;
    } catch {
      // It is gone, or stays for now: the space is not worth a failure.
      return false;
    } finally {
      await unmark();
    }
  }

  /** Removes what was not used for longest, until no more than this is left or the rest is in use. */
  async prune(maxBytes: number): Promise<void> {
    const kept = await this.#all();
    let bytes = kept.reduce((sum, each) => sum + each.bytes, 0);
    for (const bundle of kept.sort((left, right) => left.usedMs - right.usedMs)) {
      if (bytes <= maxBytes) return;
      if (await this.remove(bundle.name)) bytes -= bundle.bytes;
    }
  }

  /** Removes what processes left that were killed. */
  async removeAbandonedDrafts(): Promise<void> {
    for (const name of await readdir(this.drafts).catch(() => [])) {
      if (isOfRunning(name)) continue;
      await rm(join(this.drafts, name), { recursive: true, force: true }).catch(() => {});
    }
  }

  async #all(): Promise<{ name: string; usedMs: number; bytes: number }[]> {
    const kept: { name: string; usedMs: number; bytes: number }[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (!bundleName.test(name)) continue;
      const path = join(this.#folder, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats) kept.push({ name, usedMs: stats.mtimeMs, bytes: await bytesIn(path) });
    }
    return kept;
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

type Purpose = 'use' | 'removal';

/**
 * Says which processes use or remove what. A mark is an empty file whose name says everything, so it is
 * there as a whole or not at all; marks of processes that are gone count for nothing.
 *
 * Who wants to use something marks it and then looks for removals; who wants to remove it marks that and
 * then looks for uses. Whichever comes first, at least one of them sees the other.
 */
class UseMarks {
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
function isOfRunning(name: string): boolean {
  const [, pid, started] = /^(\d+)\.([0-9a-f]+)\.[0-9a-f-]{36}$/.exec(name) ?? [];
  if (pid === undefined) return false;
  const startTime = getStartTime(Number(pid));
  return startTime !== undefined && shortened(startTime) === started;
}

function shortened(startTime: string): string {
  return sha256Of(startTime).slice(0, 16);
}
