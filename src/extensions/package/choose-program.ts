import path from 'node:path';
import type { ArchiveEntry } from './archive-entry.js';
import { listedNames } from './listed-names.js';

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
    onlyOne(files.filter(({ name }) => isCalled(name, repo))) ??
    onlyOne(files.filter(({ name }) => isCalled(name, stem))) ??
    onlyOne(others);
  if (chosen) return chosen;
  const names = listedNames(entries.map(({ name }) => name));
  throw new Error(`which of its files is the program is not clear: it holds ${names}`);
}

/** The name is never used as a path; a file that asks for another place is still not the program. */
function staysInside(name: string): boolean {
  const isElsewhere = name.startsWith('/') || name.includes('\\') || name.includes(':');
  return !isElsewhere && !name.split('/').includes('..');
}

function isCalled(name: string, wanted: string): boolean {
  const base = path.posix.basename(name).toLowerCase();
  return base === wanted.toLowerCase() || base === `${wanted.toLowerCase()}.exe`;
}

function isDocument(name: string): boolean {
  const base = path.posix.basename(name);
  return base.startsWith('.') || documents.test(base);
}

/** Of several, the only one that can be executed. */
function onlyOne(files: readonly ArchiveEntry[]): ArchiveEntry | undefined {
  const candidates = files.length > 1 ? files.filter(({ isExecutable }) => isExecutable) : files;
  return candidates.length === 1 ? candidates[0] : undefined;
}
