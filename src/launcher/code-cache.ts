import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import { proctorVersion } from '../proctor-version.js';

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

/** What became of one chunk's cached code. */
type CacheState = 'used' | 'missing' | 'rejected';

type ChunkExports = Record<string, unknown>;
type RequireFunction = (request: string) => unknown;
type ChunkFunction = (
  exports: ChunkExports,
  require: RequireFunction,
  module: { exports: ChunkExports },
  filename: string,
  dirname: string,
) => void;

interface Chunk {
  name: string;
  script: Script;
  cacheState: CacheState;
  module: { exports: ChunkExports };
}

const checksumBytes = 4;

/** Loaded where it is needed: as an import it would slow down `proctor --version`. */
const computeChecksum = (code: Buffer | string): number =>
  process.getBuiltinModule('node:zlib').crc32(code);

/** Loads the chunks of the build as `require` would, with V8's compiled code kept between runs. */
class CachedChunks {
  readonly #chunks = new Map<string, Chunk>();
  readonly #chunkFolder: string;
  readonly #cacheFolder: string;
  readonly #requireBuiltin: RequireFunction;
  /** Stack traces name the place where cached code was compiled, so each place has its own. */
  readonly #place: string;

  constructor(chunkFolder: string, cacheFolder: string, requireBuiltin: RequireFunction) {
    this.#chunkFolder = chunkFolder;
    this.#cacheFolder = cacheFolder;
    this.#requireBuiltin = requireBuiltin;
    this.#place = computeChecksum(chunkFolder).toString(16);
  }

  load(name: string): ChunkExports {
    const loaded = this.#chunks.get(name);
    if (loaded !== undefined) return loaded.module.exports;
    const filename = join(this.#chunkFolder, name);
    // The build writes ASCII only, and this is the fastest way to read it.
    const source = readFileSync(filename, 'latin1');
    const { code, cacheState } = this.#readCachedCode(name);
    const script = new Script(wrapInFunction(source), { filename, cachedData: code });
    const chunk: Chunk = {
      name,
      script,
      cacheState: script.cachedDataRejected ? 'rejected' : cacheState,
      module: { exports: {} },
    };
    // Before it runs: chunks may require each other in a circle.
    this.#chunks.set(name, chunk);
    const run = script.runInThisContext() as ChunkFunction;
    run(chunk.module.exports, this.#require, chunk.module, filename, this.#chunkFolder);
    return chunk.module.exports;
  }

  /** At the end of the run, when the functions it needed have been compiled. */
  writeMissing(): void {
    for (const { name, script, cacheState } of this.#chunks.values()) {
      if (cacheState === 'used') continue;
      try {
        writeAtomically(this.#cacheFileOf(name), addChecksum(script.createCachedData()));
      } catch {
        // A full disk or a folder that was removed meanwhile: the next run compiles again.
      }
    }
  }

  states(): Array<{ name: string; cacheState: CacheState }> {
    return [...this.#chunks.values()].map(({ name, cacheState }) => ({ name, cacheState }));
  }

  #require: RequireFunction = (request) =>
    request.startsWith('./') ? this.load(request.slice(2)) : this.#requireBuiltin(request);

  #readCachedCode(name: string): { code?: Buffer; cacheState: CacheState } {
    try {
      const code = removeChecksum(readPrivateFile(this.#cacheFileOf(name)));
      return code === undefined ? { cacheState: 'rejected' } : { code, cacheState: 'used' };
    } catch {
      return { cacheState: 'missing' };
    }
  }

  #cacheFileOf(name: string): string {
    return join(this.#cacheFolder, `${this.#place}-${name}.code`);
  }
}

/** All on the chunk's first line, so that line numbers in stack traces stay true. */
function wrapInFunction(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${source}\n})`;
}

function readPrivateFile(file: string): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const userId = process.getuid?.();
    const isOurs = userId !== undefined && isPrivate(fstatSync(descriptor), userId);
    return isOurs ? readFileSync(descriptor) : Buffer.alloc(0);
  } finally {
    closeSync(descriptor);
  }
}

/** V8 looks at the header only: damaged code would crash the process. */
function removeChecksum(content: Buffer): Buffer | undefined {
  const code = content.subarray(0, -checksumBytes);
  if (code.length === 0) return undefined;
  return computeChecksum(code) === content.readUInt32LE(code.length) ? code : undefined;
}

function addChecksum(code: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(computeChecksum(code));
  return Buffer.concat([code, checksum]);
}

function writeAtomically(file: string, content: Buffer): void {
  const temporaryFile = `${file}.${process.pid}.temporary`;
  try {
    // `wx`: never through a link that another user has put there.
    writeFileSync(temporaryFile, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporaryFile, file);
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw error;
  }
}

/** Enough for the Node versions and projects that a person switches between in a day. */
const foldersKept = 5;

const groupOrWorldWritable = 0o022;

/**
 * The folder for this build's compiled code, made if need be, or undefined when there is no place
 * that only this user can write to: V8 runs what it finds in the cache, unseen.
 */
function openCodeCacheFolder(buildName: string): string | undefined {
  const userId = process.getuid?.();
  if (userId === undefined) return undefined;
  try {
    const proctorFolder = join(userCacheFolder(), 'mcp-proctor');
    const buildFolder = join(proctorFolder, buildName);
    const made = makePrivateFolder(buildFolder, userId);
    if (!isPrivateFolder(proctorFolder, userId) || !isPrivateFolder(buildFolder, userId)) {
      return undefined;
    }
    if (made) removeAllButTheNewest(proctorFolder);
    return buildFolder;
  } catch {
    return undefined;
  }
}

/** Whether a file or folder is this user's own and no other user can change it. */
function isPrivate(stats: Stats, userId: number): boolean {
  return stats.uid === userId && (stats.mode & groupOrWorldWritable) === 0;
}

function userCacheFolder(): string {
  const named = process.env.XDG_CACHE_HOME;
  if (named !== undefined && isAbsolute(named)) return named;
  return process.platform === 'darwin'
    ? join(homedir(), 'Library', 'Caches')
    : join(homedir(), '.cache');
}

/** Makes the folder and says so; false when it was there. */
function makePrivateFolder(folder: string, userId: number): boolean {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return false;
  // Under sudo HOME can be another user's: a folder of ours there would lock its owner out.
  if (!isOwnedBy(nearestExistingFolder(folder), userId)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return true;
}

function nearestExistingFolder(folder: string): string {
  let nearest = folder;
  while (statSync(nearest, { throwIfNoEntry: false }) === undefined) nearest = dirname(nearest);
  return nearest;
}

function isOwnedBy(folder: string, userId: number): boolean {
  return statSync(folder).uid === userId;
}

function isPrivateFolder(folder: string, userId: number): boolean {
  // Not statSync: a symbolic link could be turned to another place after the check.
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && isPrivate(stats, userId);
}

function removeAllButTheNewest(proctorFolder: string): void {
  const newestFirst = readdirSync(proctorFolder)
    .map((name) => join(proctorFolder, name))
    .map((folder) => ({ folder, changed: lstatSync(folder).mtimeMs }))
    .sort((left, right) => right.changed - left.changed);
  for (const { folder } of newestFirst.slice(foldersKept)) {
    rmSync(folder, { recursive: true, force: true });
  }
}
