import { createHash, randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { ExtensionError } from '../extension-definition.js';
import {
  openCacheFolder,
  readSmallJson,
  UnusableCacheFolderError,
  writeWholeFile,
} from './cache-folder.js';
import { hashFile } from './hashed-file.js';
import { type KnownRelease, knownReleaseSchema } from './lock-file.js';

const programRecordSchema = z.strictObject({ sha256: z.string() });

/** A program in the cache, and whether it is still as it was fetched. */
export interface CachedProgram {
  path: string;
  state: 'sound' | 'changed' | 'missing';
}

/** After this time a work folder is stale: no download takes as long. */
const staleAfterMs = 24 * 60 * 60 * 1000;

/** A cache of released programs: `<SHA-256 of the release's file>/<program>`, with the program's hash beside. */
export class ProgramCache {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws ExtensionError. */
  static async open(environment: NodeJS.ProcessEnv): Promise<ProgramCache> {
    try {
      return new ProgramCache(await openCacheFolder('extensions', environment, process.platform));
    } catch (error) {
      if (!(error instanceof UnusableCacheFolderError)) throw error;
      const { message, hint, cause } = error;
      throw new ExtensionError(message, { hint, cause });
    }
  }

  /** Finds a program and verifies its hash, as it is about to be run. */
  async find(assetHash: string, programName: string): Promise<CachedProgram> {
    const program = this.#programPath(assetHash, programName);
    const record = await readRecord(getRecordPath(program), programRecordSchema);
    const stats = await lstat(program).catch(() => undefined);
    if (!record || !stats) return { path: program, state: 'missing' };
    const isSound = stats.isFile() && (await hashFile(program)) === record.sha256;
    return { path: program, state: isSound ? 'sound' : 'changed' };
  }

  /**
   * Moves a program to its place. A concurrent process moves the same program, and the
   * hash is written last: a program with a hash is whole.
   */
  async keep(assetHash: string, programName: string, made: { path: string; sha256: string }) {
    const program = this.#programPath(assetHash, programName);
    await mkdir(path.dirname(program), { recursive: true, mode: 0o700 });
    await chmod(made.path, 0o755);
    await rename(made.path, program);
    await writeWholeFile(getRecordPath(program), `${JSON.stringify({ sha256: made.sha256 })}\n`);
    return program;
  }

  /** Returns the release that a package had when it was last fetched. */
  known(key: readonly string[]): Promise<KnownRelease | undefined> {
    return readRecord(this.#knownPath(key), knownReleaseSchema);
  }

  async remember(key: readonly string[], release: KnownRelease): Promise<void> {
    const file = this.#knownPath(key);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeWholeFile(file, `${JSON.stringify(release)}\n`);
  }

  /** Calls `work` with a new folder, and removes it afterwards. */
  async withWorkFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
    const folder = path.join(this.#workFolders, randomUUID());
    await this.#removeStale();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  get #workFolders(): string {
    return path.join(this.#folder, 'unfinished');
  }

  async #removeStale(): Promise<void> {
    for (const name of await readdir(this.#workFolders).catch(() => [])) {
      const folder = path.join(this.#workFolders, name);
      const changed = (await stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now();
      if (Date.now() - changed < staleAfterMs) continue;
      await rm(folder, { recursive: true, force: true }).catch(() => {});
    }
  }

  #programPath(assetHash: string, programName: string): string {
    return path.join(this.#folder, assetHash, programName);
  }

  #knownPath(key: readonly string[]): string {
    const name = createHash('sha256').update(JSON.stringify(key)).digest('hex');
    return path.join(this.#folder, 'packages', `${name}.json`);
  }
}

function getRecordPath(program: string): string {
  return `${program}.json`;
}

/** Reads a record; one that cannot be read counts as missing, and is written again. */
async function readRecord<Schema extends z.ZodMiniType>(
  file: string,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> {
  const data = await readSmallJson(file).catch(() => undefined);
  const parsed = schema.safeParse(data);
  return parsed.success ? parsed.data : undefined;
}
