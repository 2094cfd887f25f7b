import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import type { ArchiveEntry } from './archive-entry.js';
import { maxEntries } from './archive-entry.js';
import { readExactly } from './read-exactly.js';

const endSignature = 0x06054b50;
const endLength = 22;
const maxComment = 0xffff;
const directorySignature = 0x02014b50;
const directoryEntryLength = 46;
const localSignature = 0x04034b50;
const localLength = 30;

/** Of the list of files at the end. */
const maxDirectory = 16 * 1024 * 1024;

const stored = 0;
const deflated = 8;
const encrypted = 1;
const madeOnUnix = 3;
const fileTypeBits = 0o170000;
const regularFile = 0o100000;

interface ZipRecord {
  name: string;
  flags: number;
  method: number;
  compressedBytes: number;
  bytes: number;
  mode: number;
  /** Of the header before its content. */
  at: number;
}

/** The regular files of a zip archive. Throws Error if it is damaged. */
export async function zipEntries(path: string): Promise<ArchiveEntry[]> {
  const file = await open(path);
  try {
    const records = recordsIn(await directoryOf(file));
    return records.filter(isRegular).map((record) => ({
      name: record.name,
      bytes: record.bytes,
      isExecutable: (record.mode & 0o111) !== 0,
      content: () => contentOf(path, record),
    }));
  } finally {
    await file.close();
  }
}

async function directoryOf(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, endLength + maxComment);
  const tail = await readExactly(file, size - tailLength, tailLength);
  const end = endRecordIn(tail);
  const bytes = end.readUInt32LE(12);
  const at = end.readUInt32LE(16);
  if (bytes === 0xffffffff || at === 0xffffffff) throw new Error('zip64 is not supported');
  if (bytes > maxDirectory) throw new Error('its list of files is too large');
  return readExactly(file, at, bytes);
}

/** It stands before a comment of any length. */
function endRecordIn(tail: Buffer): Buffer {
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) === endSignature) return tail.subarray(at);
  }
  throw new Error('it is no zip archive, or cut off');
}

function recordsIn(directory: Buffer): ZipRecord[] {
  const records: ZipRecord[] = [];
  for (let at = 0; at + directoryEntryLength <= directory.length; ) {
    if (directory.readUInt32LE(at) !== directorySignature) throw new Error('it is damaged');
    if (records.length === maxEntries) throw new Error(`it holds more than ${maxEntries} files`);
    const nameEnd = at + directoryEntryLength + directory.readUInt16LE(at + 28);
    const isFromUnix = directory.readUInt8(at + 5) === madeOnUnix;
    records.push({
      name: directory.toString('utf8', at + directoryEntryLength, nameEnd),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      mode: isFromUnix ? directory.readUInt16LE(at + 40) : 0,
      at: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return records;
}

function isRegular({ name, mode }: ZipRecord): boolean {
  const type = mode & fileTypeBits;
  return (type === regularFile || type === 0) && !name.endsWith('/');
}

async function* contentOf(path: string, record: ZipRecord): AsyncIterable<Buffer> {
  const { method, flags, compressedBytes } = record;
  if ((flags & encrypted) !== 0) throw new Error('it is encrypted');
  if (method !== stored && method !== deflated) {
    throw new Error(`its way of compression (${method}) is not supported`);
  }
  if (compressedBytes === 0) return;
  const start = await contentStart(path, record);
  const raw = createReadStream(path, { start, end: start + compressedBytes - 1 });
  // The callback is for errors, which the reader of the last stream gets as well.
  if (method === deflated) yield* pipeline(raw, createInflateRaw(), () => {});
  else yield* raw;
}

/** The header before the content has lengths of its own. */
async function contentStart(path: string, { at }: ZipRecord): Promise<number> {
  const file = await open(path);
  try {
    const header = await readExactly(file, at, localLength);
    if (header.readUInt32LE(0) !== localSignature) throw new Error('it is damaged');
    return at + localLength + header.readUInt16LE(26) + header.readUInt16LE(28);
  } finally {
    await file.close();
  }
}
