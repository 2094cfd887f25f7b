import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ArchiveEntry, maxEntries } from './archive-entry.js';
import { readExactly } from './read-exactly.js';

const blockSize = 512;
const checksumAt = 148;
const checksumLength = 8;

/** Of headers that hold nothing but a long name. */
const maxHeaderContent = 64 * 1024;

interface Header {
  name: string;
  type: string;
  mode: number;
  bytes: number;
}

/** The regular files of a tar archive (ustar, pax or GNU). Throws Error if it is damaged. */
export async function tarEntries(path: string): Promise<ArchiveEntry[]> {
  const file = await open(path);
  try {
    return await entriesOf(file, path);
  } finally {
    await file.close();
  }
}

async function entriesOf(file: FileHandle, path: string): Promise<ArchiveEntry[]> {
  const { size } = await file.stat();
  const entries: ArchiveEntry[] = [];
  /** From a header before the one that it is about. */
  let longName: string | undefined;
  let headers = 0;
  for (let at = 0; at + blockSize <= size; ) {
    const block = await readExactly(file, at, blockSize);
    if (block.every((byte) => byte === 0)) break;
    if (++headers > maxEntries) throw new Error(`it holds more than ${maxEntries} files`);
    const header = readHeader(block);
    const start = at + blockSize;
    if (start + header.bytes > size) throw new Error('it is cut off');
    if (header.type === 'x' || header.type === 'L') {
      const content = await headerContent(file, start, header.bytes);
      longName = header.type === 'L' ? untilZero(content) : (paxPath(content) ?? longName);
    } else {
      if (isRegular(header)) entries.push(entryOf(path, start, header, longName));
      if (header.type !== 'g' && header.type !== 'K') longName = undefined;
    }
    at = start + Math.ceil(header.bytes / blockSize) * blockSize;
  }
  return entries;
}

function entryOf(path: string, start: number, header: Header, longName?: string): ArchiveEntry {
  const { name, bytes, mode } = header;
  return {
    name: longName ?? name,
    bytes,
    isExecutable: (mode & 0o111) !== 0,
    content: () => bytesOf(path, start, bytes),
  };
}

async function* bytesOf(path: string, start: number, bytes: number): AsyncIterable<Buffer> {
  // A stream cannot read nothing: its `end` is the last byte.
  if (bytes > 0) yield* createReadStream(path, { start, end: start + bytes - 1 });
}

function readHeader(block: Buffer): Header {
  if (octal(block.subarray(checksumAt, checksumAt + checksumLength)) !== checksumOf(block)) {
    throw new Error('it is no tar archive, or damaged');
  }
  const isUstar = block.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar && block[262] === 0 ? untilZero(block.subarray(345, 500)) : '';
  const name = untilZero(block.subarray(0, 100));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: String.fromCharCode(block[156] ?? 0),
    mode: octal(block.subarray(100, 108)),
    bytes: octal(block.subarray(124, 136)),
  };
}

/** The sum of all bytes, with spaces in the place of the sum itself. */
function checksumOf(block: Buffer): number {
  let sum = checksumLength * 0x20;
  for (const [index, byte] of block.entries()) {
    if (index < checksumAt || index >= checksumAt + checksumLength) sum += byte;
  }
  return sum;
}

function isRegular({ type, name }: Header): boolean {
  return (type === '0' || type === '\0') && !name.endsWith('/');
}

async function headerContent(file: FileHandle, start: number, bytes: number): Promise<Buffer> {
  if (bytes > maxHeaderContent) throw new Error('it has a header that is too large');
  return readExactly(file, start, bytes);
}

/** Records read `<length> <key>=<value>\n`. */
function paxPath(content: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = space === -1 ? 0 : Number(content.toString('latin1', at, space));
    if (!Number.isSafeInteger(length) || length <= space - at) {
      throw new Error('it has a damaged header');
    }
    const record = content.toString('utf8', space + 1, at + length - 1);
    if (record.startsWith('path=')) path = record.slice('path='.length);
    // A file so large that its length stands here is refused anyway.
    if (record.startsWith('size=')) throw new Error('it holds a file that is too large');
    at += length;
  }
  return path;
}

function octal(field: Buffer): number {
  const text = untilZero(field).trim();
  if (!/^[0-7]*$/.test(text)) throw new Error('it has a damaged header');
  return text === '' ? 0 : Number.parseInt(text, 8);
}

function untilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}
