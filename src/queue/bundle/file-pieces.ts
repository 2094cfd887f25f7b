import { type FileHandle, open } from 'node:fs/promises';
import { pieceBytes, sha256Of } from './manifest.js';

export interface ReadFile {
  size: number;
  pieces: string[];
  /** The first piece, for those who want to see what it is. */
  head: Buffer;
}

/** Reads a file as a bundle has it: one piece in memory at a time. What is there now is what counts. */
export async function readPieces(path: string, maxBytes: number): Promise<ReadFile> {
  const file = await open(path, 'r');
  try {
    const read: ReadFile = { size: 0, pieces: [], head: Buffer.alloc(0) };
    // It can grow as fast as it is read.
    while (read.size <= maxBytes) {
      const piece = await readPiece(file, read.size, pieceBytes);
      if (piece.length === 0) break;
      if (read.size === 0) read.head = piece;
      read.size += piece.length;
      read.pieces.push(sha256Of(piece));
      if (piece.length < pieceBytes) break;
    }
    return read;
  } finally {
    await file.close();
  }
}

/** Fewer bytes if the file ends before. */
export async function readPiece(file: FileHandle, offset: number, size: number): Promise<Buffer> {
  const { size: fileSize } = await file.stat();
  const buffer = Buffer.alloc(Math.max(Math.min(size, fileSize - offset), 0));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Few enough that an answer does not take long, and enough that few are needed. */
const maxCount = 200;
const maxBytes = 8 * 1024 * 1024;

/** Parts a list, in order, so that a part has not too many items and bytes. A large item is alone. */
export function* splitIntoBatches<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const more = bytesOf(item);
    if (batch.length > 0 && (batch.length >= maxCount || bytes + more > maxBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
