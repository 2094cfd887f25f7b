import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ReleaseReference } from '../../config/schemas/package-reference.js';
import { ExtensionError } from '../extension-definition.js';
import { fetchProgram } from './fetch-program.js';
import { LockFile, type Pin } from './lock-file.js';
import { type Platform, platformOf } from './platform.js';
import { ProgramCache } from './program-cache.js';
import { ReleaseHost } from './release-host.js';
import type { Delay } from './retries.js';

/** Nobody waits longer for a host that has gone silent. */
const defaultIdleMs = 60_000;

export interface ReleaseProgramOptions {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
  onProgress?(message: string): void;
  /** Between attempts. */
  delay?: Delay;
  /** How long nothing may come, in milliseconds. */
  idleMs?: number;
  /** This machine's, if it is not given. */
  platform?: Platform;
}

/** The program of a release: from the cache, or fetched and pinned. Throws ExtensionError. */
export async function releaseProgram(
  reference: ReleaseReference,
  folder: string,
  options: ReleaseProgramOptions,
): Promise<string> {
  const { environment, signal, onProgress = () => {}, delay = sleep } = options;
  const { idleMs = defaultIdleMs } = options;
  const { platform = platformOf(process.platform, process.arch) } = options;
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

/** A checkout that cannot be written to is no reason to stop. */
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
