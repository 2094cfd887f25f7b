import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getOwnIdentity, getStartTime } from '../../base/processes/process-identity.js';
import { openCacheFolder } from '../../extensions/package/cache-folder.js';
import { type BlobStore, unpackBlob } from './blob-store.js';
import {
  BundleCacheError,
  BundleGoneError,
  BundleRefusedError,
  DamagedBundleError,
} from './bundle-errors.js';
import { Manifest, maxManifestBytes, sha256Of } from './manifest.js';
import { isWholeBundle, unpackBundle } from './unpack-bundle.js';

export interface BundleCacheOptions {
  /** The most bytes of one bundle. */
  maxBundleBytes?: number;
  /** The most bytes of all bundles that are kept; those in use are kept in any case. */
  maxBytes?: number;
}

/** A bundle whose files are here, and stay here until it is released. */
export interface UnpackedBundle {
  folder: string;
  release(): Promise<void>;
}

const gibibyte = 1024 ** 3;
/** The store can fail too, but not like this. */
const diskFailures = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EEXIST',
  'ENOTDIR',
  'ENAMETOOLONG',
]);
/** Enough to distinguish bundles; some programs cannot stand long paths. */
const nameLength = 32;

/**
 * Bundles that were unpacked on this machine, for any number of workers: `<digest>-<number>/`. None is
 * used before all of it was looked at. One that was changed is left to who uses it, and the next number
 * is taken.
 */
export class BundleCache {
  readonly #folder: string;
  readonly #kept: KeptBundles;
  readonly #maxBundleBytes: number;
  readonly #maxBytes: number;

  constructor(folder: string, { maxBundleBytes, maxBytes }: BundleCacheOptions = {}) {
    this.#folder = folder;
    this.#kept = new KeptBundles(folder);
    this.#maxBundleBytes = maxBundleBytes ?? gibibyte;
    this.#maxBytes = maxBytes ?? 4 * gibibyte;
  }

  /** In the user's cache folder. Throws UnusableCacheFolder. */
  static async open(
    environment: NodeJS.ProcessEnv,
    options: BundleCacheOptions = {},
  ): Promise<BundleCache> {
    return new BundleCache(
      await openCacheFolder('bundles', environment, process.platform),
      options,
    );
  }

  /** Fetches what is not here yet. Throws BundleError, or what the store says. */
  async take(id: string, store: BlobStore): Promise<UnpackedBundle> {
    const manifest = await this.#manifestOf(id, store);
    try {
      return await this.#takeFirstUsable(manifest, store);
    } catch (error) {
      const isOfDisk = diskFailures.has((error as NodeJS.ErrnoException).code ?? '');
      throw isOfDisk ? new BundleCacheError(this.#folder, error) : error;
    }
  }

  async #manifestOf(id: string, store: BlobStore): Promise<Manifest> {
    const blob = await store.getManifest(id);
    if (!blob) throw new BundleGoneError(id, 'the list of files');
    const text = await unpackBlob(blob, maxManifestBytes).catch((cause: unknown) => {
      throw new DamagedBundleError(id, 'its list of files cannot be unpacked', { cause });
    });
    const manifest = Manifest.parse(id, text.toString());
    const { bytes } = manifest;
    if (bytes > this.#maxBundleBytes) throw new BundleRefusedError(id, bytes, this.#maxBundleBytes);
    return manifest;
  }

  async #takeFirstUsable(manifest: Manifest, store: BlobStore): Promise<UnpackedBundle> {
    for (let number = 1; ; number += 1) {
      const name = `${manifest.id.slice(0, nameLength)}-${number}`;
      const release = await this.#kept.marks.set(name, 'use');
      try {
        if (await this.#isUsable(name, manifest, store)) {
          return { folder: join(this.#folder, name), release };
        }
      } catch (error) {
        await release();
        throw error;
      }
      await release();
      await this.#kept.remove(name);
    }
  }

  async #isUsable(name: string, manifest: Manifest, store: BlobStore): Promise<boolean> {
    if (await this.#kept.marks.has(name, 'removal')) return false;
    // What was made here and now was checked on its way.
    if (!(await this.#kept.has(name)) && (await this.#isMade(name, manifest, store))) return true;
    const folder = join(this.#folder, name);
    if (!(await isWholeBundle(folder, manifest))) return false;
    const now = new Date();
    await utimes(folder, now, now);
    return true;
  }

  /** False if another process was faster, whose work is verified like any other. */
  async #isMade(name: string, manifest: Manifest, store: BlobStore): Promise<boolean> {
    await this.#kept.removeAbandonedDrafts();
    await this.#kept.prune(this.#maxBytes - manifest.bytes);
    const draft = join(this.#kept.drafts, ownName());
    try {
      await mkdir(draft, { recursive: true, mode: 0o700 });
      await unpackBundle(manifest, store, draft);
      return await isMoved(draft, join(this.#folder, name));
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
}

async function isMoved(draft: string, place: string): Promise<boolean> {
  try {
    await rename(draft, place);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

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
function ownName(): string {
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
