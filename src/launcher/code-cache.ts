import { join } from 'node:path';
import { proctorVersion } from '../proctor-version.js';
import { CachedChunks } from './cached-chunks.js';
import { openCodeCacheFolder } from './code-cache-folder.js';

/**
 * A hash over the text of all chunks, written in by the build. V8 compares cached code with its
 * source by length only, so another build must never find this build's cache.
 */
declare const PROCTOR_BUILD: string;

/** V8 throws away compiled functions that it has not seen for a while: too few would be kept. */
const secondsUntilCodeIsDropped = 30;

type LoadChunk = (name: string) => Record<string, unknown>;

/**
 * How to load a chunk: with the code cache where this user has a folder for it, else plainly. Node
 * 22 has a cache of its own (module.enableCompileCache), but it keeps few of the functions that
 * are compiled on first call: ours starts faster there too, and it is the same on every version.
 */
export function startCodeCache(chunkFolder: string): LoadChunk {
  const loadPlainly: LoadChunk = (name) => require(join(chunkFolder, name));
  if (isSet('PROCTOR_NO_CODE_CACHE')) {
    debug('switched off by PROCTOR_NO_CODE_CACHE');
    return loadPlainly;
  }
  const folder = openCodeCacheFolder(
    `${proctorVersion}-${process.version}-${process.arch}-${PROCTOR_BUILD}`,
  );
  if (folder === undefined) {
    debug('no private folder to keep it in');
    return loadPlainly;
  }
  debug(`in ${folder}`);
  const chunks = new CachedChunks(chunkFolder, folder, require);
  process.on('exit', () => {
    if (process.uptime() < secondsUntilCodeIsDropped) chunks.writeMissing();
    for (const { name, cacheState } of chunks.states()) debug(`${name} ${cacheState}`);
  });
  return (name) => chunks.load(name);
}

function debug(message: string): void {
  if (isSet('PROCTOR_DEBUG_CODE_CACHE')) process.stderr.write(`code cache: ${message}\n`);
}

function isSet(variable: string): boolean {
  const value = process.env[variable];
  return value !== undefined && value !== '' && value !== '0';
}
