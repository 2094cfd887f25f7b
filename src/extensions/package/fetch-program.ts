import path from 'node:path';
import { HttpError } from '../../base/http/http-error.js';
import { formatSize } from '../../base/text.js';
import type { ReleaseReference } from '../../config/schemas/package-reference.js';
import { ExtensionError } from '../extension-definition.js';
import { findExpectedHash } from './checksums.js';
import type { KnownRelease, ReleaseFile } from './lock-file.js';
import type { ProgramCache } from './program-cache.js';
import { chooseAsset, type Platform } from './release-assets.js';
import type { Release, ReleaseAsset, ReleaseHost } from './release-host.js';
import { type Delay, Releases, TransientError } from './releases.js';
import { unpackProgram } from './unpack-program.js';

export interface FetchOptions {
  platform: Platform;
  host: ReleaseHost;
  cache: ProgramCache;
  /** Key of the release in the cache. */
  key: readonly string[];
  /** Name of the file in the cache. */
  programName: string;
  /** The file that the lock file requires. */
  pinned?: { file: ReleaseFile; lockPath: string };
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  delay: Delay;
  idleMs: number;
  onProgress(message: string): void;
}

interface FetchedProgram {
  path: string;
  release: KnownRelease;
}

/** Fetches, checks and keeps the program of a release. Throws ExtensionError. */
export async function fetchProgram(
  reference: ReleaseReference,
  options: FetchOptions,
): Promise<FetchedProgram> {
  const { host, cache, platform, key, signal } = options;
  try {
    const releases = new Releases(host, options);
    const release = await releases.find(reference);
    const asset = findPinnedAsset(reference, release, options) ?? chooseAsset(release, platform);
    const sha256 = await findExpectedHash(asset, release, releases);
    refuseChange(reference, release, sha256, options);
    options.onProgress(`fetching ${asset.name} (${formatSize(asset.bytes)}) of ${release.page}`);
    const program = await cache.withWorkFolder((folder) =>
      makeProgram(asset, { sha256, releases, folder, repo: release.repo, ...options }),
    );
    const known = { version: release.version, file: { name: asset.name, sha256 } };
    await cache.remember(key, known);
    return { path: program, release: known };
  } catch (error) {
    throw explainError(error, reference, signal);
  }
}

async function makeProgram(
  asset: ReleaseAsset,
  options: FetchOptions & { sha256: string; releases: Releases; folder: string; repo: string },
): Promise<string> {
  const { sha256, releases, folder, repo, cache, programName, signal } = options;
  const downloaded = await releases.download(asset, folder);
  if (downloaded.sha256 !== sha256) {
    throw new ExtensionError(
      `${asset.name} does not have the checksum that its release states, so it is not run`,
      {
        details: `expected ${sha256}\nfound    ${downloaded.sha256}`,
        hint: 'it was changed in transit or at its source; do not use it until that is clear',
      },
    );
  }
  const target = path.join(folder, 'program');
  const unpacking = unpackProgram(downloaded.path, { name: asset.name, repo, target, signal });
  const programHash = await unpacking.catch((cause: Error) => {
    throw new ExtensionError(`${asset.name} cannot be unpacked: ${cause.message}`, { cause });
  });
  return cache.keep(sha256, programName, { path: target, sha256: programHash });
}

/** Finds the pinned file by its name: another file of the release may match the platform by now. */
function findPinnedAsset(
  reference: ReleaseReference,
  release: Release,
  options: FetchOptions,
): ReleaseAsset | undefined {
  const { pinned } = options;
  if (!pinned) return undefined;
  const asset = release.assets.find(({ name }) => name === pinned.file.name);
  if (!asset) refuseChange(reference, release, 'no such file', options);
  return asset;
}

function refuseChange(
  { text }: ReleaseReference,
  { page }: Release,
  found: string,
  { pinned }: FetchOptions,
): void {
  if (!pinned || pinned.file.sha256 === found) return;
  throw new ExtensionError(
    `the file ${pinned.file.name} of the release ${page} changed since it was pinned`,
    {
      details: `pinned ${pinned.file.sha256}\nfound  ${found}`,
      hint: `if that is intended, delete the entry "${text}" in ${pinned.lockPath}`,
    },
  );
}

function explainError(error: unknown, { text }: ReleaseReference, signal: AbortSignal): unknown {
  if (signal.aborted) {
    return new ExtensionError(`fetching ${text} was cancelled`, { cause: signal.reason });
  }
  if (error instanceof HttpError || error instanceof TransientError) {
    return new ExtensionError(`${text} cannot be fetched: ${error.message}`, {
      hint: 'once fetched, it is used from the cache, even without a network',
      cause: error,
    });
  }
  const { syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  return new ExtensionError(`${text} cannot be kept in the cache: ${message}`, {
    hint: 'PROCTOR_CACHE_DIR names another place for it',
    cause: error,
  });
}
