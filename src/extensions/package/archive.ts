import path from 'node:path';
import { formatNames } from './release-host.js';

/** A regular file in an archive. */
export interface ArchiveEntry {
  /** Name with folders, as in the archive: not to be used as a path. */
  name: string;
  bytes: number;
  isExecutable: boolean;
  /** Reads the content, which may be longer than `bytes` in a hostile archive. */
  content(): AsyncIterable<Buffer>;
}

/** Far more files than any release has; it keeps time and memory bounded. */
export const maxEntries = 10_000;

/** Names that the program in an archive may have. */
export interface ProgramNames {
  repo: string;
  /** The archive's name without its ending. */
  stem: string;
}

const documents = /^(readme|licen[cs]e|changelog|notice|copying|authors)([._-]|$)|\.(md|txt)$/i;

/** Chooses the program among the files of an archive. Throws Error if it is not clear. */
export function chooseProgram(
  entries: readonly ArchiveEntry[],
  { repo, stem }: ProgramNames,
): ArchiveEntry {
  const files = entries.filter(({ name }) => staysInside(name));
  const others = files.filter(({ name }) => !isDocument(name));
  const chosen =
    findOnlyOne(files.filter(({ name }) => hasName(name, repo))) ??
    findOnlyOne(files.filter(({ name }) => hasName(name, stem))) ??
    findOnlyOne(others);
  if (chosen) return chosen;
  const names = formatNames(entries.map(({ name }) => name));
  throw new Error(`which of its files is the program is not clear: it holds ${names}`);
}

/** Whether a name stays in the archive's folder. Names are never used as paths; this one is not the program. */
function staysInside(name: string): boolean {
  const isElsewhere = name.startsWith('/') || name.includes('\\') || name.includes(':');
  return !isElsewhere && !name.split('/').includes('..');
}

function hasName(name: string, wanted: string): boolean {
  const base = path.posix.basename(name).toLowerCase();
  return base === wanted.toLowerCase() || base === `${wanted.toLowerCase()}.exe`;
}

function isDocument(name: string): boolean {
  const base = path.posix.basename(name);
  return base.startsWith('.') || documents.test(base);
}

/** The only file, or the only executable one of several. */
function findOnlyOne(files: readonly ArchiveEntry[]): ArchiveEntry | undefined {
  const candidates = files.length > 1 ? files.filter(({ isExecutable }) => isExecutable) : files;
  return candidates.length === 1 ? candidates[0] : undefined;
}
