import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { compilePattern, type Pattern } from '../config/patterns/pattern.js';

/** The files that a glob matches and those that it nearly does, or what is wrong with it. */
export type GlobResult = { files: FoundFile[]; nearMisses: FoundFile[] } | Flaw;

export interface FoundFile {
  path: string;
  /** The same for every path that leads to the file. */
  realPath: string;
}

export interface SearchOptions {
  /** How many folders are looked into at most. */
  maxFolders?: number | undefined;
  /** A glob for names in the same folders: what it alone matches is a near miss. */
  wider?: string | undefined;
}

/** What is wrong with a glob, and where. */
interface Flaw {
  offset: number;
  length: number;
  reason: string;
}

const maxGlob = 500;
const specialCharacter = /[*?[{\\]/;

/**
 * Finds files by a glob of `*`, `?`, `[...]`, `{a,b}` and `**` (any depth, also none). Names are matched
 * by RE2 unless the glob is simple, so that no glob and no name can make it explode, and the search is bounded.
 */
export function findFiles(
  glob: string,
  folder: string,
  { maxFolders = 50_000, wider }: SearchOptions = {},
): GlobResult {
  const written = stripDotSlash(glob);
  const compiled = compileGlob(written);
  if ('reason' in compiled) return compiled;
  const { base, depth } = findReach(written);
  const search = new Search(compiled.pattern, wider && stripDotSlash(wider), depth, maxFolders);
  const found = search.below(resolve(folder, base), base);
  if (found) return found;
  const reason = `it goes through more than ${maxFolders} folders`;
  return { offset: 0, length: glob.length, reason };
}

function stripDotSlash(glob: string): string {
  return glob.replace(/^(\.\/)+/, '');
}

/** A pattern for a whole path, from the same place as the glob's, or what is wrong with the glob. */
export function compileGlob(
  glob: string,
  { matchesHidden = false } = {},
): { pattern: Pattern } | Flaw {
  const offset = glob.indexOf('\0');
  if (offset !== -1) return { offset, length: 1, reason: 'it holds a NUL' };
  if (glob.length > maxGlob) {
    return { offset: 0, length: glob.length, reason: `it is longer than ${maxGlob} characters` };
  }
  const body = new GlobReader(glob, matchesHidden).read();
  if (typeof body === 'object') return { length: 1, ...body };
  if (isSimple(glob)) return { pattern: new RegExp(`^(?:${body})$`, 'u') };
  const compiled = compilePattern(`^(?:${body})$`);
  if (compiled.ok) return { pattern: compiled.pattern };
  return { offset: 0, length: glob.length, reason: compiled.reason };
}

/**
 * Whether Node's own regular expressions may match names: RE2 took 6% of the time of loading 200 task
 * files, and with one `**` and one `*` in a name a backtracking engine cannot explode.
 */
function isSimple(glob: string): boolean {
  const names = glob.split('/');
  return (
    glob.length <= 100 &&
    !/[?[{\\]/.test(glob) &&
    names.indexOf('**') === names.lastIndexOf('**') &&
    names.every((name) => name === '**' || name.indexOf('*') === name.lastIndexOf('*'))
  );
}

interface Reach {
  /** The folder that all matches are in: the segments before the first special character. */
  base: string;
  /** How many folders below the base a match can be at most. */
  depth: number;
}

function findReach(glob: string): Reach {
  const special = glob.search(specialCharacter);
  const base = glob.slice(0, glob.lastIndexOf('/', special === -1 ? glob.length : special) + 1);
  const rest = glob.slice(base.length);
  const isDeep = /\*\*|\{[^}]*\//.test(rest);
  return { base, depth: isDeep ? Number.POSITIVE_INFINITY : rest.split('/').length };
}

/** Turns a glob into a pattern, one character after the other. */
class GlobReader {
  readonly #glob: string;
  /** What a name has at its start where the glob has a wildcard. */
  readonly #first: string;
  #at = 0;

  constructor(glob: string, matchesHidden: boolean) {
    this.#glob = glob;
    this.#first = matchesHidden ? '[^/]' : '[^/.]';
  }

  read(): string | { offset: number; reason: string } {
    let pattern = '';
    const braces: number[] = [];
    while (this.#at < this.#glob.length) {
      const start = this.#at;
      const character = this.#glob[this.#at++] ?? '';
      if (character === '*') pattern += this.#star(start);
      else if (character === '?') pattern += this.#startsName(start) ? this.#first : '[^/]';
      else if (character === '[') {
        const set = this.#set();
        if (set === undefined) return { offset: start, reason: '[ is never closed' };
        pattern += set;
      } else if (character === '{') {
        braces.push(start);
        pattern += '(?:';
      } else if (character === ',' && braces.length > 0) pattern += '|';
      else if (character === '}' && braces.length > 0) {
        braces.pop();
        pattern += ')';
      } else {
        const isEscape = character === '\\' && this.#at < this.#glob.length;
        pattern += escapeLiteral(isEscape ? (this.#glob[this.#at++] ?? '') : character);
      }
    }
    const [unclosed] = braces;
    return unclosed === undefined ? pattern : { offset: unclosed, reason: '{ is never closed' };
  }

  /** Whether a name starts here: wildcards there do not match the dot of hidden files and folders. */
  #startsName(offset: number): boolean {
    return offset === 0 || '/{,'.includes(this.#glob[offset - 1] ?? '');
  }

  #star(start: number): string {
    const name = `${this.#first}[^/]*`;
    const isGlobstar = this.#startsName(start) && this.#glob[this.#at] === '*';
    if (isGlobstar && (this.#glob[this.#at + 1] ?? '/') === '/') {
      const hasMore = this.#glob[this.#at + 1] === '/';
      this.#at += hasMore ? 2 : 1;
      return hasMore ? `(?:${name}/)*` : `(?:${name}/)*${name}`;
    }
    while (this.#glob[this.#at] === '*') this.#at++;
    return this.#startsName(start) ? `(?:${name})?` : '[^/]*';
  }

  /** `[abc]`, `[a-z]`, `[!a]`; a bracket right at the start stands for itself. */
  #set(): string | undefined {
    const negated = /[!^]/.test(this.#glob[this.#at] ?? '');
    const first = this.#at + (negated ? 1 : 0);
    const end = this.#glob.indexOf(']', first + 1);
    if (end === -1) return undefined;
    const members = this.#glob.slice(first, end).replace(/[[\]\\^&~]/g, '\\$&');
    this.#at = end + 1;
    return negated ? `[^/${members}]` : `[${members}]`;
  }
}

function escapeLiteral(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

interface Folder {
  path: string;
  /** The path without symbolic links. */
  real: string;
  /** What stands before its files in the glob's terms. */
  prefix: string;
  level: number;
}

/**
 * Walks folders, each real one once. Symbolic links come last, so that what can be reached without
 * them is found under its own name.
 */
class Search {
  readonly #pattern: Pattern;
  readonly #wider: string | undefined;
  readonly #depth: number;
  readonly #maxFolders: number;
  readonly #visited = new Set<string>();
  readonly #links: Folder[] = [];
  readonly #files: FoundFile[] = [];
  readonly #nearMisses: FoundFile[] = [];

  constructor(pattern: Pattern, wider: string | undefined, depth: number, maxFolders: number) {
    this.#pattern = pattern;
    this.#wider = wider;
    this.#depth = depth;
    this.#maxFolders = maxFolders;
  }

  /** Undefined if there is too much to look through. */
  below(path: string, prefix: string): Exclude<GlobResult, Flaw> | undefined {
    this.#links.push({ path, real: resolveRealPath(path), prefix, level: 1 });
    for (let next = this.#links.shift(); next; next = this.#links.shift()) this.#visit(next);
    if (this.#visited.size > this.#maxFolders) return undefined;
    return { files: this.#files, nearMisses: this.#nearMisses };
  }

  #visit({ path: folder, real, prefix, level }: Folder): void {
    if (this.#visited.has(real) || this.#visited.size > this.#maxFolders) return;
    this.#visited.add(real);
    for (const entry of listEntries(folder)) {
      const name = prefix + entry.name;
      const kind = classifyEntry(entry, folder);
      const found = kind === 'file' ? this.#listFor(name) : undefined;
      const isEntered = kind === 'folder' && level < this.#depth;
      if (!found && !isEntered) continue;
      const path = joinPath(folder, entry.name);
      const isLink = entry.isSymbolicLink();
      const realPath = isLink ? resolveRealPath(path) : joinPath(real, entry.name);
      if (found) {
        found.push({ path, realPath });
        continue;
      }
      const inner = { path, real: realPath, prefix: `${name}/`, level: level + 1 };
      if (isLink) this.#links.push(inner);
      else this.#visit(inner);
    }
  }

  #listFor(name: string): FoundFile[] | undefined {
    if (this.#pattern.test(name)) return this.#files;
    if (this.#wider === undefined) return undefined;
    // Mostly nothing comes this far, and patterns that were compiled are remembered.
    const compiled = compileGlob(this.#wider);
    return 'pattern' in compiled && compiled.pattern.test(name) ? this.#nearMisses : undefined;
  }
}

/** What `join` gives for a folder without detours, but for looking for them in every path. */
function joinPath(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

function classifyEntry(entry: Dirent, folder: string): 'file' | 'folder' | 'other' {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return 'other';
  try {
    const stats = statSync(joinPath(folder, entry.name));
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other';
  } catch {
    // A link that leads nowhere is reported when it is read.
    return 'file';
  }
}

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The path without symbolic links; of a link that leads nowhere, the path itself. */
export function resolveRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
