import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Enough for the Node versions and projects somebody switches between in a day. */
const foldersKept = 5;

const groupOrWorldWritable = 0o022;

/**
 * The folder for this build's compiled code, made if need be, or undefined when there is no place
 * that only this user can write to: V8 runs what it finds in the cache, unseen.
 */
export function openCodeCacheFolder(buildName: string): string | undefined {
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
export function isPrivate(stats: Stats, userId: number): boolean {
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
  // Under sudo HOME can be somebody else's: a folder of ours there would lock its owner out.
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
