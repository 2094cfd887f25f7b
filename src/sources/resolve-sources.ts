import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readEvalFile } from '../config/files/eval-file.js';
import { Problems } from '../config/problems/problem.js';
import type { SourceData } from '../config/schemas/eval-schema.js';
import { ExtensionError } from '../extensions/extension-definition.js';
import {
  openCacheFolder,
  readSmallJson,
  UnusableCacheFolderError,
  writeWholeFile,
} from '../extensions/package/cache-folder.js';
import { LockFile, type SourcePin } from '../extensions/package/lock-file.js';
import type { SourceState, SourceStates } from '../plan/source-tasks.js';
import {
  checkOut,
  computeTreeDigest,
  removeCredentials,
  resolveAddress,
  SourceError,
} from './git-checkout.js';

/**
 * What may be done to get the files. `offline`: only what is pinned and in the cache is used.
 * `fetch`: what is missing is fetched, and pinned if it is not. `update`: every ref is looked up and
 * pinned anew.
 */
export type SourceMode = 'offline' | 'fetch' | 'update';

interface SourceOptions {
  mode: SourceMode;
  /** Copies the files beside the eval, so that they are part of the bundle for workers. */
  besideEval?: boolean;
  /** The eval comes from a bundle, which was verified already, and leaves out some files. */
  isBundled?: boolean;
  environment: NodeJS.ProcessEnv;
  /** Aborts a fetch. */
  signal?: AbortSignal;
  onProgress(message: string): void;
}

const howToFetch = 'fetch it with proctor validate --connect; proctor check does so too';

/** Resolves the sources that task sets of an eval use: the folder of each, or why it is missing. */
export async function resolveSources(
  evalPath: string,
  options: SourceOptions,
): Promise<SourceStates> {
  const file = readEvalFile(evalPath, new Problems());
  const { sources = {}, taskSets = [] } = file?.data.config ?? {};
  const used = new Set(taskSets.flatMap(({ source }) => source ?? []));
  const states = new Map<string, SourceState>();
  for (const [name, source] of Object.entries(sources)) {
    if (!used.has(name)) continue;
    try {
      states.set(name, await resolveSource(name, source, dirname(evalPath), options));
    } catch (error) {
      if (!isSourceProblem(error)) throw error;
      const { message, hint } = error;
      states.set(name, {
        reason: removeCredentials(message),
        ...(hint !== undefined && { hint }),
      });
    }
  }
  return states;
}

function isSourceProblem(error: unknown): error is Error & { hint?: string | undefined } {
  const kinds = [SourceError, ExtensionError, UnusableCacheFolderError];
  return kinds.some((kind) => error instanceof kind);
}

async function resolveSource(
  name: string,
  source: SourceData,
  folder: string,
  options: SourceOptions,
): Promise<SourceState> {
  const { mode, environment } = options;
  const lock = new LockFile(folder);
  const { ref = 'HEAD', submodules } = source;
  const wanted = { repo: removeCredentials(source.repo), ref, ...(submodules && { submodules }) };
  const pin = mode === 'update' ? undefined : await lock.pinnedSource(wanted);
  const beside = pin && (await findKept(join(folder, besidePath), pin, options));
  if (beside) return { folder: beside, commit: pin.commit };
  if (!pin && mode === 'offline') throw new SourceError('it is not pinned yet', howToFetch);
  const cache = await openCacheFolder('sources', environment, process.platform);
  const kept = pin && (await findKept(cache, pin));
  if (kept) return { folder: await placeFiles(kept, folder, pin, options), commit: pin.commit };
  if (mode === 'offline') throw new SourceError('its files are not in the cache', howToFetch);
  const address = resolveAddress(source.repo, folder, environment);
  options.onProgress(`fetching ${removeCredentials(source.repo)} (${pin?.commit ?? ref})`);
  const unfinished = join(cache, 'unfinished');
  await removeStale(unfinished);
  const work = join(unfinished, randomUUID());
  try {
    const request = { address, ref: pin?.commit ?? ref, submodules: submodules === true };
    const commit = await checkOut(request, join(work, 'files'), environment, options.signal);
    const fresh = { ...wanted, commit };
    const made = await keepFiles(cache, join(work, 'files'), fresh);
    if (!pin) await pinSource(lock, name, fresh, options);
    return { folder: await placeFiles(made, folder, fresh, options), commit };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** After this time an unfinished fetch is stale; none takes as long. */
const abandonedAfterMs = 24 * 60 * 60 * 1000;

/** Removes what processes that were killed had begun to fetch. */
async function removeStale(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished).catch(() => [])) {
    const path = join(unfinished, name);
    const stats = await stat(path).catch(() => undefined);
    if (!stats || stats.mtimeMs > Date.now() - abandonedAfterMs) continue;
    await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

async function pinSource(
  lock: LockFile,
  name: string,
  pin: SourcePin,
  { onProgress }: SourceOptions,
): Promise<void> {
  await lock.pinSource(pin).catch((error) => {
    if (error instanceof ExtensionError) throw error;
    onProgress(`the source ${name} is not pinned: ${(error as Error).message}`);
  });
}

/** Computes a folder name from repository, commit and submodules. */
function computeFolderName({ repo, commit, submodules = false }: SourcePin): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([repo, submodules]))
    .digest('hex');
  return `${digest.slice(0, 16)}-${commit}`;
}

/** The record beside a folder of fetched files. It is written last, so the folder is complete. */
interface KeptRecord {
  /** Name of the folder. */
  folder: string;
  digest: string;
}

/** Finds the files of a commit in the cache or beside the eval, if they are unchanged. */
async function findKept(
  parent: string,
  pin: SourcePin,
  { isBundled = false } = {},
): Promise<string | undefined> {
  const id = computeFolderName(pin);
  const record = await readSmallJson(join(parent, `${id}.json`)).catch(() => undefined);
  const { folder: name, digest } = (record ?? {}) as Partial<KeptRecord>;
  if (typeof name !== 'string' || !name.startsWith(id) || basename(name) !== name) return undefined;
  const folder = join(parent, name);
  if (isBundled) return folder;
  const actual = await computeTreeDigest(folder).catch(() => undefined);
  return actual !== undefined && actual === digest ? folder : undefined;
}

/**
 * Moves files to their place. Another process may use files there that are not those that were
 * fetched: these stay, and the new files get another place.
 */
async function keepFiles(parent: string, made: string, pin: SourcePin): Promise<string> {
  const present = await findKept(parent, pin);
  if (present) return present;
  const id = computeFolderName(pin);
  const digest = await computeTreeDigest(made);
  const place = (name: string) => rename(made, join(parent, name)).then(() => name);
  const folder = await place(id).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    return place(`${id}-${randomUUID()}`);
  });
  const record: KeptRecord = { folder, digest };
  await writeWholeFile(join(parent, `${id}.json`), `${JSON.stringify(record)}\n`);
  return join(parent, folder);
}

const besidePath = join('.proctor', 'sources');

/** Returns the folder to use: the one in the cache, or a copy beside the eval. */
async function placeFiles(
  kept: string,
  folder: string,
  pin: SourcePin,
  options: SourceOptions,
): Promise<string> {
  if (!options.besideEval) return kept;
  const parent = join(folder, besidePath);
  await mkdir(parent, { recursive: true });
  await writeFile(join(folder, '.proctor', '.gitignore'), '*\n');
  // Under a temporary name, which bundles leave out.
  const unfinished = join(parent, `${computeFolderName(pin)}.${randomUUID()}.tmp`);
  try {
    await cp(kept, unfinished, { recursive: true, verbatimSymlinks: true });
    return await keepFiles(parent, unfinished, pin);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
