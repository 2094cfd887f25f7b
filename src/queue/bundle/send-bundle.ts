import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStore, packBlob, type StoredBlob } from './blob-store.js';
import { BundleFileChangedError } from './bundle-errors.js';
import { readPiece, splitIntoBatches } from './file-pieces.js';
import { type Piece, piecesOf, sha256Of } from './manifest.js';
import type { Bundle } from './pack-bundle.js';

interface PlacedPiece extends Piece {
  path: string;
}

export interface SentBundle {
  /** That were not in the store yet. */
  pieces: number;
  /** Before they were compressed. */
  bytes: number;
}

/**
 * Puts into the store what is not there yet. Done again, it makes everything last anew, and sends what
 * is missing by then. Throws BundleFileChanged.
 */
export async function sendBundle(bundle: Bundle, store: BlobStore): Promise<SentBundle> {
  const sent: SentBundle = { pieces: 0, bytes: 0 };
  const missing = await missingPieces(bundle, store);
  for (const batch of splitIntoBatches(missing, ({ size }) => size)) {
    await store.putBlobs(await Promise.all(batch.map((piece) => blobOf(bundle, piece))));
    sent.pieces += batch.length;
    sent.bytes += batch.reduce((sum, { size }) => sum + size, 0);
  }
  // Last: who finds it may expect the rest to be there.
  await store.putManifest(bundle.id, await packBlob(Buffer.from(bundle.manifest.text)));
  return sent;
}

async function missingPieces(bundle: Bundle, store: BlobStore): Promise<PlacedPiece[]> {
  const pieces = new Map<string, PlacedPiece>();
  for (const file of bundle.manifest.files) {
    for (const piece of piecesOf(file)) pieces.set(piece.sha256, { ...piece, path: file.path });
  }
  const missing: PlacedPiece[] = [];
  for (const batch of splitIntoBatches(pieces.values(), () => 0)) {
    const hashes = await store.missing(batch.map(({ sha256 }) => sha256));
    missing.push(...batch.filter(({ sha256 }) => hashes.has(sha256)));
  }
  return missing;
}

async function blobOf(
  { root }: Bundle,
  { path, sha256, offset, size }: PlacedPiece,
): Promise<StoredBlob> {
  const content = await readAgain(join(root, path), offset, size);
  if (!content || sha256Of(content) !== sha256) throw new BundleFileChangedError(join(root, path));
  return { sha256, blob: await packBlob(content) };
}

async function readAgain(path: string, offset: number, size: number): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    return await readPiece(file, offset, size);
  } finally {
    await file.close();
  }
}
