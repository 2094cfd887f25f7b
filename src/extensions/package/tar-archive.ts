import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extract, type Header } from 'tar-stream';
import { type ArchiveEntry, maxEntries } from './archive.js';

const blockSize = 512;

/** Largest headers of a file, in bytes: its long name, other pax records. */
const maxHeaders = 64 * 1024;

interface Member {
  header: Header;
  /** Offset of its header in the archive. */
  offset: number;
}

/** Lists the regular files of a tar archive (ustar, pax or GNU). Throws Error if it is damaged. */
export async function listTarEntries(path: string): Promise<ArchiveEntry[]> {
  const { size } = await stat(path);
  const entries: ArchiveEntry[] = [];
  let members = 0;
  let previousEnd = 0;
  for await (const { header, offset } of readMembers(path)) {
    const start = offset + blockSize;
    const end = start + Math.ceil(header.size / blockSize) * blockSize;
    if (++members > maxEntries) throw new Error(`it holds more than ${maxEntries} files`);
    if (offset - previousEnd > maxHeaders) throw new Error('it has a header that is too large');
    // tar-stream returns no records for a pax header that it cannot read.
    if (header.pax && Object.keys(header.pax).length === 0) {
      throw new Error('it has a damaged header');
    }
    if (end > size) throw new Error('it is cut off');
    if (isRegular(header)) entries.push(createTarEntry(path, start, header));
    previousEnd = end;
  }
  return entries;
}

async function* readMembers(path: string): AsyncIterable<Member> {
  const archive = createReadStream(path);
  const reader = extract();
  archive.on('error', (error) => reader.destroy(error));
  archive.pipe(reader as unknown as NodeJS.WritableStream);
  try {
    for await (const member of reader) {
      yield member;
      // The next member comes when this one is read to its end.
      member.resume();
    }
  } catch (cause) {
    throw new Error('it is not a tar archive, or damaged', { cause });
  } finally {
    archive.destroy();
  }
}

function isRegular({ type, name }: Header): boolean {
  return type === 'file' && !name.endsWith('/');
}

function createTarEntry(path: string, start: number, { name, size, mode }: Header): ArchiveEntry {
  return {
    name,
    bytes: size,
    isExecutable: (mode & 0o111) !== 0,
    content: () => readBytes(path, start, size),
  };
}

async function* readBytes(path: string, start: number, bytes: number): AsyncIterable<Buffer> {
  // A read stream cannot be empty, as its `end` is the last byte.
  if (bytes > 0) yield* createReadStream(path, { start, end: start + bytes - 1 });
}
