import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { batchesOf } from './batches.js';
import { readPieces } from './file-pieces.js';
import type { BundleEntry, BundleFile, Manifest } from './manifest.js';

/**
 * Whether a folder has what the manifest says, and nothing else: a file more could be a task more. Every
 * file is read, which takes about a second for thousands of them, once for each run of a worker; times and sizes
 * would not tell what a loss of power or somebody with time on their hands left behind.
 */
export async function isWholeBundle(folder: string, manifest: Manifest): Promise<boolean> {
  try {
    return (await hasItsEntries(folder, manifest)) && (await hasItsContents(folder, manifest));
  } catch {
    return false;
  }
}

async function hasItsEntries(folder: string, manifest: Manifest): Promise<boolean> {
  const folders = new Set(manifest.folders);
  const others = new Map(manifest.entries.map((entry) => [entry.path, entry]));
  const isExpected = async (entry: Dirent, path: string) =>
    entry.isDirectory() ? folders.has(path) : isSame(folder, path, entry, others.get(path));
  let seen = 0;
  const waiting = [''];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await readdir(join(folder, next), { withFileTypes: true })) {
      const path = next === '' ? entry.name : `${next}/${entry.name}`;
      if (!(await isExpected(entry, path))) return false;
      if (entry.isDirectory()) waiting.push(path);
      seen += 1;
    }
  }
  return seen === folders.size + manifest.files.length + manifest.links.length;
}

async function isSame(
  folder: string,
  path: string,
  found: Dirent,
  expected: BundleEntry | undefined,
): Promise<boolean> {
  if (expected === undefined || 'folder' in expected) return false;
  if ('link' in expected) {
    return found.isSymbolicLink() && (await readlink(join(folder, path))) === expected.link;
  }
  const { size, mode } = await lstat(join(folder, path));
  const isExecutable = (mode & 0o111) !== 0;
  return found.isFile() && size === expected.size && isExecutable === Boolean(expected.executable);
}

async function hasItsContents(folder: string, { files }: Manifest): Promise<boolean> {
  for (const batch of batchesOf(files, ({ size }) => size)) {
    const same = await Promise.all(batch.map((file) => hasContentOf(folder, file)));
    if (same.includes(false)) return false;
  }
  return true;
}

async function hasContentOf(folder: string, { path, size, pieces }: BundleFile): Promise<boolean> {
  const read = await readPieces(join(folder, path), size);
  return read.size === size && read.pieces.join() === pieces.join();
}
