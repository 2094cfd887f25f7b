import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { isPrivate } from './code-cache-folder.js';

/** What became of one chunk's cached code. */
export type CacheState = 'used' | 'missing' | 'rejected';

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
const checksumOf = (code: Buffer | string): number =>
  process.getBuiltinModule('node:zlib').crc32(code);

/** Loads the chunks of the build as `require` would, with V8's compiled code kept between runs. */
export class CachedChunks {
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
    this.#place = checksumOf(chunkFolder).toString(16);
  }

  load(name: string): ChunkExports {
    const loaded = this.#chunks.get(name);
    if (loaded !== undefined) return loaded.module.exports;
    const filename = join(this.#chunkFolder, name);
    // The build writes ASCII only, and this is the fastest way to read it.
    const source = readFileSync(filename, 'latin1');
    const { code, cacheState } = this.#readCachedCode(name);
    const script = new Script(inFunction(source), { filename, cachedData: code });
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
        writeAtomically(this.#cacheFileOf(name), withChecksum(script.createCachedData()));
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
      const code = withoutChecksum(readPrivateFile(this.#cacheFileOf(name)));
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
function inFunction(source: string): string {
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
function withoutChecksum(content: Buffer): Buffer | undefined {
  const code = content.subarray(0, -checksumBytes);
  if (code.length === 0) return undefined;
  return checksumOf(code) === content.readUInt32LE(code.length) ? code : undefined;
}

function withChecksum(code: Buffer): Buffer {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(checksumOf(code));
  return Buffer.concat([code, checksum]);
}

function writeAtomically(file: string, content: Buffer): void {
  const temporaryFile = `${file}.${process.pid}.temporary`;
  try {
    // `wx`: never through a link that somebody else has put there.
    writeFileSync(temporaryFile, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporaryFile, file);
  } catch (error) {
    rmSync(temporaryFile, { force: true });
    throw error;
  }
}
