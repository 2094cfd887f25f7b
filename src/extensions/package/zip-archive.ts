import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';
import { type ArchiveEntry, maxEntries } from './archive.js';

/** Largest central directory, in bytes. */
const maxDirectory = 16 * 1024 * 1024;

const stored = 0;
const deflated = 8;
const madeOnUnix = 3;
const fileTypeBits = 0o170000;
const regularFile = 0o100000;

/** Lists the regular files of a zip archive (also zip64). Throws Error if it is damaged. */
export function listZipEntries(path: string): Promise<ArchiveEntry[]> {
  return withArchive(path, async (archive) => {
    if (archive.entryCount > maxEntries) throw new Error(`it holds more than ${maxEntries} files`);
    const entries: ArchiveEntry[] = [];
    let directory = 0;
    for await (const entry of readRecords(archive)) {
      directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
      if (directory > maxDirectory) throw new Error('its list of files is too large');
      const file = createZipEntry(entry, path);
      if (file !== undefined) entries.push(file);
    }
    return entries;
  });
}

async function withArchive<Result>(
  path: string,
  use: (archive: ZipFile) => Promise<Result>,
): Promise<Result> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await use(await openArchive(new ZipReader(file), size));
  } finally {
    await file.close();
  }
}

/**
 * Reads from a file. yauzl's own reader throws uncaught if an archive names a position that no file
 * can have.
 */
class ZipReader extends RandomAccessReader {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#fill(buffer.subarray(offset, offset + length), position).then(
      () => callback(null),
      callback,
    );
  }

  async #fill(buffer: Buffer, position: number): Promise<void> {
    for (let done = 0; done < buffer.length; ) {
      const length = buffer.length - done;
      const { bytesRead } = await this.#file.read(buffer, done, length, position + done);
      if (bytesRead === 0) throw new Error('it is cut off');
      done += bytesRead;
    }
  }
}

async function openArchive(reader: ZipReader, size: number): Promise<ZipFile> {
  // Names are never used as paths, and the length of a program is checked where it is written.
  const options = { decodeStrings: false, validateEntrySizes: false, autoClose: false };
  try {
    return await fromRandomAccessReaderPromise(reader, size, options);
  } catch (cause) {
    throw new Error('it is not a zip archive, or cut off', { cause });
  }
}

async function* readRecords(archive: ZipFile): AsyncIterable<Entry> {
  try {
    yield* archive.eachEntry();
  } catch (cause) {
    throw new Error('it is damaged', { cause });
  }
}

/** Returns undefined for what is not a regular file. */
function createZipEntry(entry: Entry, path: string): ArchiveEntry | undefined {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  const isFromUnix = entry.versionMadeBy >>> 8 === madeOnUnix;
  const mode = isFromUnix ? entry.externalFileAttributes >>> 16 : 0;
  const type = mode & fileTypeBits;
  if ((type !== regularFile && type !== 0) || name.endsWith('/')) return undefined;
  return {
    name,
    bytes: entry.uncompressedSize,
    isExecutable: (mode & 0o111) !== 0,
    content: () => readContent(path, entry),
  };
}

async function* readContent(path: string, entry: Entry): AsyncIterable<Buffer> {
  const { compressionMethod: method, compressedSize } = entry;
  if (entry.isEncrypted()) throw new Error('it is encrypted');
  if (method !== stored && method !== deflated) {
    throw new Error(`its compression method (${method}) is not supported`);
  }
  if (compressedSize === 0) return;
  const start = await withArchive(path, (archive) => findContentStart(archive, entry));
  const raw = createReadStream(path, { start, end: start + compressedSize - 1 });
  // The callback ignores errors, as the reader of the last stream gets them as well.
  if (method === deflated) yield* pipeline(raw, createInflateRaw(), () => {});
  else yield* raw;
}

/** Finds where the content starts: the local header before it has its own lengths. */
async function findContentStart(archive: ZipFile, entry: Entry): Promise<number> {
  try {
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
    return fileDataStart;
  } catch (cause) {
    throw new Error('it is damaged', { cause });
  }
}
