import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from './home-folder.js';

const groupOrWorldWritable = 0o022;

/** There is no folder that only this user can write to. */
export class UnusableCacheFolder extends Error {
  /** What can be done about it. */
  readonly hint = 'set PROCTOR_CACHE_DIR to a folder that only you can write to';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableCacheFolder';
  }
}

/**
 * The folder for one kind of what is kept, made if need be. Not below the launcher's `mcp-proctor`,
 * which keeps only what is newest. Throws UnusableCacheFolder, also if others could put programs there.
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
    throw new UnusableCacheFolder(`the folder ${folder} cannot be made (${code})`, { cause });
  }
  if (!(await isPrivate(proctorFolder))) {
    throw new UnusableCacheFolder(
      `other users can write to ${proctorFolder}: programs in it cannot be trusted`,
    );
  }
  return folder;
}

/** The launcher's code cache lies in the same place, but for a variable of our own and Windows. */
export function userCacheFolder(environment: NodeJS.ProcessEnv, system: NodeJS.Platform): string {
  const { PROCTOR_CACHE_DIR, XDG_CACHE_HOME = '', LOCALAPPDATA } = environment;
  if (PROCTOR_CACHE_DIR) return path.resolve(PROCTOR_CACHE_DIR);
  if (path.isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (system === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  const home = homeFolder(environment);
  return system === 'darwin' ? path.join(home, 'Library', 'Caches') : path.join(home, '.cache');
}

async function isPrivate(folder: string): Promise<boolean> {
  const userId = process.getuid?.();
  // Windows has no such modes; what lies below the user's profile is the user's.
  if (userId === undefined) return true;
  // Not stat: a symbolic link could be turned to another place after the check.
  const stats = await lstat(folder);
  return stats.isDirectory() && stats.uid === userId && (stats.mode & groupOrWorldWritable) === 0;
}
