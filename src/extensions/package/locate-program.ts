import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path, { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  type ReleaseReference,
  readPackageReference,
} from '../../config/schemas/package-reference.js';
import { type ExtensionDefinition, ExtensionError } from '../extension-definition.js';
import { expandHome } from './cache-folder.js';
import { fetchProgram } from './fetch-program.js';
import { LockFile, type Pin } from './lock-file.js';
import { ProgramCache } from './program-cache.js';
import { describePlatform, type Platform } from './release-assets.js';
import { ReleaseHost } from './release-host.js';
import type { Delay } from './releases.js';

/**
 * Returns the absolute path of an extension's program; that of a release is fetched if needed. Throws
 * ExtensionError.
 */
export async function locateProgram(
  definition: ExtensionDefinition,
  options: ReleaseProgramOptions,
): Promise<string> {
  const reference = readPackageReference(definition.package);
  switch (reference.kind) {
    case 'flaw': {
      const { reason, hint } = reference;
      throw new ExtensionError(`the package ${definition.package} ${reason}`, { hint });
    }
    case 'release':
      return locateReleaseProgram(reference, definition.folder, options);
    case 'path':
      return locateLocalProgram(reference.path, definition, options.environment);
  }
}

/** Returns the absolute path of a program that an eval names by its path. Throws ExtensionError. */
async function locateLocalProgram(
  written: string,
  { folder }: ExtensionDefinition,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const file = path.resolve(folder, expandHome(written, environment));
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new ExtensionError(`the program ${file} ${describeMissing(error)}`, {
      ...formatHint(written),
      cause: error,
    });
  });
  if (found.isDirectory()) {
    throw new ExtensionError(`${file} is a folder, not a program`, {
      hint: 'name the file in it that is to be started',
    });
  }
  if (!found.isFile()) throw new ExtensionError(`${file} is not a regular file`);
  await access(file, constants.X_OK).catch((cause: unknown) => {
    throw new ExtensionError(`the program ${file} is not executable`, {
      hint: `make it so: chmod +x ${file}`,
      cause,
    });
  });
  return file;
}

function describeMissing({ code }: NodeJS.ErrnoException): string {
  const isNotThere = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ERR_INVALID_ARG_VALUE';
  return isNotThere ? 'does not exist' : `cannot be read (${code})`;
}

function formatHint(written: string): { hint: string } {
  return {
    hint: written.startsWith('github.com/')
      ? `for a release, write https://${written}`
      : 'relative paths start at the folder of the eval',
  };
}

/** Default timeout for a host that sends nothing, in milliseconds. */
const defaultIdleMs = 60_000;

export interface ReleaseProgramOptions {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onProgress?(message: string): void;
  /** Waits between attempts. */
  delay?: Delay;
  /** How long the host may send nothing, in milliseconds. */
  idleMs?: number;
  /** Defaults to the platform of this machine. */
  platform?: Platform;
}

/** Returns the program of a release from the cache, or fetches and pins it. Throws ExtensionError. */
async function locateReleaseProgram(
  reference: ReleaseReference,
  folder: string,
  options: ReleaseProgramOptions,
): Promise<string> {
  const { environment, signal, onProgress = () => {}, delay = sleep } = options;
  const { idleMs = defaultIdleMs } = options;
  const { platform = describePlatform(process.platform, process.arch) } = options;
  const programName = `${reference.repo}${platform.programEnding}`;
  const place = { package: reference.text, platform: platform.key };
  const lock = new LockFile(folder);
  const pinned = await lock.pinned(place);
  const host = new ReleaseHost(environment);
  const cache = await ProgramCache.open(environment);
  // Another host can have another program under the same name.
  const key = [host.api, reference.text, platform.key];

  const known = pinned ?? (await cache.known(key));
  const cached = known && (await cache.find(known.file.sha256, programName));
  if (known && cached?.state === 'sound') {
    if (!pinned) await pin(lock, { ...place, ...known }, onProgress);
    return cached.path;
  }
  if (cached?.state === 'changed') {
    onProgress(`${cached.path} was changed since it was fetched: it is fetched again`);
  }
  const fetched = await fetchProgram(reference, {
    ...{ environment, signal, delay, idleMs, onProgress, host, cache, key, platform, programName },
    ...(pinned && { pinned: { file: pinned.file, lockPath: lock.path } }),
  });
  if (!pinned) await pin(lock, { ...place, ...fetched.release }, onProgress);
  return fetched.path;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}

/** Pins a release. A lock file that cannot be written is no reason to stop. */
async function pin(lock: LockFile, pin: Pin, onProgress: (message: string) => void) {
  try {
    await lock.pin(pin);
    onProgress(`pinned ${pin.package} in ${basename(lock.path)}`);
  } catch (error) {
    if (error instanceof ExtensionError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    onProgress(`${pin.package} is not pinned: ${lock.path} cannot be written (${code ?? message})`);
  }
}
