import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extract, type Header } from 'tar-stream';
import { type ArchiveEntry, maxEntries } from './archive.js';

const blockSize = 512;

/** Of what may stand before a file to describe it: its long name, other records of pax. */
const maxHeaders = 64 * 1024;

interface Member {
  header: Header;
  /** Where its own header begins in the archive. */
  offset: number;
}

/** The regular files of a tar archive (ustar, pax or GNU). Throws Error if it is damaged. */
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
    // tar-stream makes records of nothing of a pax header that it cannot read.
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
      // The next one comes when all of this one is read.
      member.resume();
    }
  } catch (cause) {
    throw new Error('it is no tar archive, or damaged', { cause });
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
  // A stream cannot read nothing: its `end` is the last byte.
  if (bytes > 0) yield* createReadStream(path, { start, end: start + bytes - 1 });
}
