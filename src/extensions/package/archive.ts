import path from 'node:path';
import { formatNames } from './release-host.js';

/** A regular file in an archive. */
export interface ArchiveEntry {
  /** With folders, as the archive has it: not to be used as a path. */
  name: string;
  bytes: number;
  isExecutable: boolean;
  /** May be more than `bytes` in a hostile archive. */
  content(): AsyncIterable<Buffer>;
}

/** Far more than any release of a program; keeps time and memory bounded. */
export const maxEntries = 10_000;

/** What the program in an archive may be called. */
export interface ProgramNames {
  repo: string;
  /** The archive's name without its ending. */
  stem: string;
}

const documents = /^(readme|licen[cs]e|changelog|notice|copying|authors)([._-]|$)|\.(md|txt)$/i;

/** The file of an archive that is the program. Throws Error if that is not clear. */
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

/** The name is never used as a path; a file that asks for another place is still not the program. */
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

/** Of several, the only one that can be executed. */
function findOnlyOne(files: readonly ArchiveEntry[]): ArchiveEntry | undefined {
  const candidates = files.length > 1 ? files.filter(({ isExecutable }) => isExecutable) : files;
  return candidates.length === 1 ? candidates[0] : undefined;
}
