import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

interface TempFile {
  path: string;
  target: string;
}

const chunkLength = 256 * 1024;

/**
 * A file that is written piece by piece, and is there at once and whole when it is done, or not at
 * all. Only its owner can read it, as what a run has recorded may be private. A pipe or a device, such
 * as /dev/null, is written to directly: it cannot be replaced.
 */
export class TextFile {
  readonly #file: FileHandle;
  readonly #tempFile: TempFile | undefined;
  #texts: string[] = [];
  #length = 0;

  static async create(path: string): Promise<TextFile> {
    const target = await resolveTarget(path);
    const found = await stat(target).catch(() => undefined);
    if (found && !found.isFile()) return new TextFile(await open(target, 'w'), undefined);
    const tempFile = { path: `${target}.${randomUUID()}.tmp`, target };
    const file = await open(tempFile.path, 'wx', 0o600).catch((error: unknown) => {
      throw nameTarget(error, tempFile);
    });
    return new TextFile(file, tempFile);
  }

  private constructor(file: FileHandle, tempFile: TempFile | undefined) {
    this.#file = file;
    this.#tempFile = tempFile;
  }

  /** Few large writes in place of many small ones. */
  async write(text: string): Promise<void> {
    this.#texts.push(text);
    this.#length += text.length;
    if (this.#length >= chunkLength) await this.#flush();
  }

  async finish(): Promise<void> {
    try {
      await this.#flush();
      await this.#file.close();
      if (this.#tempFile) await rename(this.#tempFile.path, this.#tempFile.target);
    } catch (error) {
      await this.discard();
      throw this.#tempFile ? nameTarget(error, this.#tempFile) : error;
    }
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => {});
    if (this.#tempFile) await rm(this.#tempFile.path, { force: true }).catch(() => {});
  }

  async #flush(): Promise<void> {
    const text = this.#texts.join('');
    this.#texts = [];
    this.#length = 0;
    await this.#file.appendFile(text);
  }
}

/** The error with the path of the target: callers know nothing of the temp file. */
function nameTarget(error: unknown, { path, target }: TempFile): unknown {
  if (!(error instanceof Error)) return error;
  error.message = error.message.replaceAll(path, target);
  return Object.assign(error, { path: target });
}

/** A symbolic link stays one, also if there is nothing behind it yet. */
async function resolveTarget(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const link = await readlink(path).catch(() => undefined);
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

/** The path with its links resolved, as far as it exists. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(resolveLinks(folder), basename(path));
  }
}

/** Also through symbolic links; what cannot be looked at is none. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** In bytes. Programs can be larger than one wants to have in memory. */
const chunkSize = 1024 * 1024;

/** The SHA-256 of a file; undefined if it cannot be read, such as one whose name has a placeholder. */
export function digestFile(path: string): string | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const file = openSync(path, 'r');
    try {
      // Loaded where it is needed: as an import it would slow down `proctor validate`.
      const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
      const chunk = Buffer.alloc(chunkSize);
      for (;;) {
        const length = readSync(file, chunk);
        if (length === 0) return hash.digest('hex');
        hash.update(chunk.subarray(0, length));
      }
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
