import { mkdir, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { openCacheFolder } from '../../extensions/package/cache-folder.js';
import { type BlobStore, unpackBlob } from './blob-store.js';
import {
  BundleCacheError,
  BundleGoneError,
  BundleRefusedError,
  DamagedBundleError,
} from './bundle-errors.js';
import { KeptBundles, ownName } from './kept-bundles.js';
import { Manifest, maxManifestBytes } from './manifest.js';
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
