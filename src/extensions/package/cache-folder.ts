import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

const groupOrWorldWritable = 0o022;

/** The cache folder cannot be made, or other users could write to it. */
export class UnusableCacheFolderError extends Error {
  /** How to fix it. */
  readonly hint = 'set PROCTOR_CACHE_DIR to a folder that only you can write to';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableCacheFolderError';
  }
}

/**
 * Opens the cache folder for one kind of content, and makes it if needed. It is not below the launcher's
 * `mcp-proctor`, which keeps only what is newest. Throws UnusableCacheFolderError.
 */
export async function openCacheFolder(
  kept: 'extensions' | 'bundles' | 'sources',
  environment: NodeJS.ProcessEnv,
  system: NodeJS.Platform,
): Promise<string> {
  const proctorFolder = path.join(userCacheFolder(environment, system), 'proctor');
  const folder = path.join(proctorFolder, kept);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new UnusableCacheFolderError(`the folder ${folder} cannot be made (${code})`, { cause });
  }
  if (!(await isPrivate(proctorFolder))) {
    throw new UnusableCacheFolderError(
      `other users can write to ${proctorFolder}: programs in it cannot be trusted`,
    );
  }
  return folder;
}

/** The user's cache folder, where the launcher's code cache lies too; only there without PROCTOR_CACHE_DIR. */
export function userCacheFolder(environment: NodeJS.ProcessEnv, system: NodeJS.Platform): string {
  const { PROCTOR_CACHE_DIR, XDG_CACHE_HOME = '', LOCALAPPDATA } = environment;
  if (PROCTOR_CACHE_DIR) return path.resolve(PROCTOR_CACHE_DIR);
  if (path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (system === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  const home = getHomeFolder(environment);
  return system === 'darwin' ? path.join(home, 'Library', 'Caches') : path.join(home, '.cache');
}

async function isPrivate(folder: string): Promise<boolean> {
  const userId = process.getuid?.();
  // Windows has no such modes; a folder below the user's profile is private.
  if (userId === undefined) return true;
  // Not stat: a symbolic link could be pointed elsewhere after the check.
  const stats = await lstat(folder);
  return stats.isDirectory() && stats.uid === userId && (stats.mode & groupOrWorldWritable) === 0;
}

export function getHomeFolder({ HOME }: NodeJS.ProcessEnv): string {
  return HOME || homedir();
}

/** Replaces `~` at the start of a path with the home folder. */
export function expandHome(written: string, environment: NodeJS.ProcessEnv): string {
  const isInHome = written === '~' || written.startsWith('~/');
  return isInHome ? path.join(getHomeFolder(environment), written.slice(1)) : written;
}

const maxJsonBytes = 1024 * 1024;

/** Reads a small JSON file; undefined if there is none. Throws Error if it cannot be read. */
export async function readSmallJson(path: string): Promise<unknown> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.size > maxJsonBytes) throw new Error('it is too large');
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file whole or not at all. Throws errors of the file system. */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}
