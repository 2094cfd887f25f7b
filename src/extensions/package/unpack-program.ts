import { createReadStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type ArchiveEntry, chooseProgram } from './archive.js';
import { hashFile, maxProgramBytes, writeHashed } from './hashed-file.js';
import { detectFormat } from './release-assets.js';

export interface UnpackOptions {
  /** Name of the asset, which decides its format. */
  name: string;
  repo: string;
  /** Path for the program; other files may be made beside it. */
  target: string;
  signal: AbortSignal;
  maxBytes?: number;
}

/**
 * Makes the program from a file of a release, which may be moved. Resolves to the program's SHA-256; throws
 * Error.
 */
export async function unpackProgram(asset: string, options: UnpackOptions): Promise<string> {
  const { name, repo, target, signal, maxBytes = maxProgramBytes } = options;
  const { format = 'program', stem = name } = detectFormat(name) ?? {};
  if (format === 'program') {
    await rename(asset, target);
    return hashFile(target);
  }
  const entries = await (format === 'zip' ? readZip(asset) : readTarGz(asset, options));
  const program = chooseProgram(entries, { repo, stem });
  return writeEntry(program, target, { maxBytes, signal });
}

/** Lists the files of a zip. The readers of archives are loaded on demand, as few checks unpack anything. */
async function readZip(asset: string): Promise<ArchiveEntry[]> {
  const { listZipEntries } = await import('./zip-archive.js');
  return listZipEntries(asset);
}

/** Lists the files of a tar.gz, after it was decompressed to disk: then files can be read in any order. */
async function readTarGz(asset: string, options: UnpackOptions): Promise<ArchiveEntry[]> {
  const { target, signal, maxBytes = maxProgramBytes } = options;
  const archive = path.join(path.dirname(target), 'unpacked.tar');
  // The callback ignores errors, as the reader of the last stream gets them as well.
  const content = pipeline(createReadStream(asset), createGunzip(), () => {});
  await writeHashed(content, archive, { maxBytes, signal });
  const { listTarEntries } = await import('./tar-archive.js');
  return listTarEntries(archive);
}

async function writeEntry(
  entry: ArchiveEntry,
  target: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<string> {
  if (entry.bytes > maxBytes) throw new Error(`its program is larger than ${maxBytes} bytes`);
  const written = await writeHashed(entry.content(), target, { maxBytes: entry.bytes, signal });
  if (written.bytes !== entry.bytes) throw new Error('its program is cut off');
  return written.sha256();
}
