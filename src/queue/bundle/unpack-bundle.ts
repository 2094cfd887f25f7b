import type { Dirent } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  realpath,
  symlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BlobStore, unpackBlob } from './blob-store.js';
import { BundleGoneError, DamagedBundleError } from './bundle-errors.js';
import { readPieces, splitIntoBatches } from './file-pieces.js';
import {
  type BundleEntry,
  type BundleFile,
  type BundleLink,
  type Manifest,
  type Piece,
  piecesOf,
  sha256Of,
} from './manifest.js';

/**
 * Writes the files of a bundle into an empty folder. Nothing is written that does not have its digest,
 * and nothing to another place: links come last, when no file is left to be written through them.
 * Throws BundleGone, DamagedBundle, or what the file system says.
 */
export async function unpackBundle(
  manifest: Manifest,
  store: BlobStore,
  folder: string,
): Promise<void> {
  for (const path of manifest.folders) await mkdir(join(folder, path), { mode: 0o700 });
  const source = { id: manifest.id, store };
  for (const batch of splitIntoBatches(manifest.files, ({ size }) => size)) {
    const [only] = batch;
    if (only && only.pieces.length > 1) await writeLarge(source, only, folder);
    else await writeSmall(source, batch, folder);
  }
  const real = await realpath(folder);
  for (const link of manifest.links) await makeLink(manifest.id, link, real);
}

interface Source {
  id: string;
  store: BlobStore;
}

/** Those with one piece or none, all at once. */
async function writeSmall(source: Source, files: BundleFile[], folder: string): Promise<void> {
  const contents = await fetchPieces(source, files.flatMap(piecesOf));
  await Promise.all(
    files.map((file) =>
      withNewFile(file, folder, async (handle) => {
        for (const { sha256 } of piecesOf(file)) await handle.writeFile(contents.get(sha256) ?? '');
      }),
    ),
  );
}

/** One piece after the other, which is all that is in memory. */
function writeLarge(source: Source, file: BundleFile, folder: string): Promise<void> {
  return withNewFile(file, folder, async (handle) => {
    for (const piece of piecesOf(file)) {
      const contents = await fetchPieces(source, [piece]);
      await handle.writeFile(contents.get(piece.sha256) ?? '');
    }
  });
}

/** Never over another one: on some systems `A` and `a` are the same file. It is made read-only. */
async function withNewFile(
  { path, executable }: BundleFile,
  folder: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(join(folder, path), 'wx', executable ? 0o555 : 0o444);
  try {
    await write(handle);
  } finally {
    await handle.close();
  }
}

async function fetchPieces(
  { id, store }: Source,
  pieces: readonly Piece[],
): Promise<Map<string, Buffer>> {
  const wanted = [...new Map(pieces.map((piece) => [piece.sha256, piece])).values()];
  if (wanted.length === 0) return new Map();
  const blobs = await store.getBlobs(wanted.map(({ sha256 }) => sha256));
  const contents = wanted.map(async ({ sha256, size }, index) => {
    const blob = blobs[index];
    if (!blob) throw new BundleGoneError(id, 'a file');
    const content = await unpackBlob(blob, size).catch((cause: unknown) => {
      throw new DamagedBundleError(id, `the content ${sha256} cannot be unpacked`, { cause });
    });
    if (content.length !== size || sha256Of(content) !== sha256) {
      throw new DamagedBundleError(id, `what is stored as ${sha256} has another digest or size`);
    }
    return [sha256, content] as const;
  });
  return new Map(await Promise.all(contents));
}

/** Where `A` and `a` are the same, a link could have got between a path and its folder. */
async function makeLink(id: string, { path, link }: BundleLink, folder: string): Promise<void> {
  const place = join(folder, path);
  if ((await realpath(dirname(place))) !== dirname(place)) {
    throw new DamagedBundleError(id, `the link ${JSON.stringify(path)} is below another link`);
  }
  await symlink(link, place);
}

/**
 * Whether a folder has what the manifest says, and nothing else: a file more could be a task more. Every
 * file is read, which takes about a second for thousands of them, once for each run of a worker; times and sizes
 * would not show what a loss of power or a person with time on their hands left behind.
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
  for (const batch of splitIntoBatches(files, ({ size }) => size)) {
    const same = await Promise.all(batch.map((file) => hasContentOf(folder, file)));
    if (same.includes(false)) return false;
  }
  return true;
}

async function hasContentOf(folder: string, { path, size, pieces }: BundleFile): Promise<boolean> {
  const read = await readPieces(join(folder, path), size);
  return read.size === size && read.pieces.join() === pieces.join();
}
