import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isDirectory } from '../../base/files.js';
import {
  NoBundleRootError,
  OutsideOfBundleError,
  UnreadableBundleFileError,
} from './bundle-errors.js';
import { type IgnoreRules, ignoreFileName, reasonByName } from './ignore-rules.js';
import type { BundleLink } from './manifest.js';

/** A file or folder below the root that does not travel. */
export interface LeftOut {
  path: string;
  reason: string;
  /** What to do if it should. */
  remedy: string;
}

export interface FoundFile {
  path: string;
  size: number;
  executable: boolean;
  /** A line of `.proctorignore` says that it travels, whatever it holds. */
  isNamed: boolean;
}

/** What lies below the root of a bundle, before anything is read. */
export interface BundleTree {
  files: FoundFile[];
  links: BundleLink[];
  /** With nothing in them that travels. */
  emptyFolders: string[];
  leftOut: LeftOut[];
  /** There is so much that the search was given up. */
  isCut: boolean;
}

/** Enough to show what there is too much of. */
const maxFound = 200_000;

export function findTree(
  root: BundleRoot,
  rules: IgnoreRules,
  outputs: ReadonlySet<string>,
): Promise<BundleTree> {
  return new TreeSearch(root, rules, outputs).find();
}

class TreeSearch {
  readonly #root: BundleRoot;
  readonly #rules: IgnoreRules;
  readonly #outputs: ReadonlySet<string>;
  readonly #tree: BundleTree = {
    files: [],
    links: [],
    emptyFolders: [],
    leftOut: [],
    isCut: false,
  };

  constructor(root: BundleRoot, rules: IgnoreRules, outputs: ReadonlySet<string>) {
    this.#root = root;
    this.#rules = rules;
    this.#outputs = outputs;
  }

  async find(): Promise<BundleTree> {
    await this.#visit('');
    return this.#tree;
  }

  /** Whether anything of it travels. */
  async #visit(folder: string): Promise<boolean> {
    const entries = await this.#entriesOf(folder);
    const siblings = new Set(entries.map(({ name }) => name));
    let travels = false;
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (this.#isFull()) {
        this.#tree.isCut = true;
        return true;
      }
      if (this.#isLeftOut(entry, path, siblings)) continue;
      if (entry.isDirectory()) {
        if (!(await this.#visit(path))) this.#tree.emptyFolders.push(path);
        travels = true;
      } else if (entry.isSymbolicLink()) {
        travels = (await this.#addLink(path)) || travels;
      } else if (entry.isFile()) {
        travels = (await this.#addFile(path)) || travels;
      } else {
        this.#leaveOut(path, 'it is not a regular file', 'replace it with a regular file');
      }
    }
    return travels;
  }

  #isFull(): boolean {
    const { files, links, emptyFolders } = this.#tree;
    return files.length + links.length + emptyFolders.length >= maxFound;
  }

  #isLeftOut(entry: Dirent, path: string, siblings: ReadonlySet<string>): boolean {
    const ruling = this.#rules.rulingOn(path, entry.isDirectory());
    if (ruling === 'left-out') {
      const remedy = `change ${ignoreFileName}`;
      return this.#leaveOut(path, `${ignoreFileName} leaves it out`, remedy);
    }
    if (this.#outputs.has(path)) {
      return this.#leaveOut(path, 'this check writes it', 'choose another file for the output');
    }
    const reason = reasonByName(entry.name, siblings);
    if (reason === undefined || ruling === 'named') return false;
    return this.#leaveOut(path, reason, remedyByName(path));
  }

  #leaveOut(path: string, reason: string, remedy: string): true {
    this.#tree.leftOut.push({ path, reason, remedy });
    return true;
  }

  async #addLink(path: string): Promise<boolean> {
    const real = await realpath(join(this.#root.folder, path)).catch(() => undefined);
    if (real === undefined) {
      this.#leaveOut(path, 'it is a link that leads nowhere', 'fix the link');
      return false;
    }
    const link = this.#root.linkTo(path, real);
    if (link === undefined) {
      const remedy = 'replace it with a copy, or name a folder that has both with --bundle-root';
      this.#leaveOut(path, `it is a link to ${real}`, remedy);
      return false;
    }
    this.#tree.links.push({ path, link });
    return true;
  }

  async #addFile(path: string): Promise<boolean> {
    const stats = await lstat(join(this.#root.folder, path)).catch(() => undefined);
    if (!stats?.isFile()) {
      // Also a name that is no UTF-8, which cannot be distinguished from others of its kind.
      this.#leaveOut(path, 'it cannot be found under this name', 'rename it');
      return false;
    }
    const executable = (stats.mode & 0o111) !== 0;
    const isNamed = this.#rules.rulingOn(path, false) === 'named';
    this.#tree.files.push({ path, size: stats.size, executable, isNamed });
    return true;
  }

  async #entriesOf(folder: string): Promise<Dirent[]> {
    const path = join(this.#root.folder, folder);
    try {
      return await readdir(path, { withFileTypes: true });
    } catch (error) {
      throw new UnreadableBundleFileError(path, error);
    }
  }
}

/** To have what Proctor leaves out by itself. */
export function remedyByName(path: string): string {
  return `if it should, add the line !/${path} to ${ignoreFileName} in the root of the suite`;
}

/** The folder whose files travel. */
export class BundleRoot {
  /** Without symbolic links. */
  readonly folder: string;
  readonly #given: string;

  private constructor(given: string, folder: string) {
    this.#given = given;
    this.folder = folder;
  }

  /** Throws NoBundleRoot. */
  static async open(folder: string): Promise<BundleRoot> {
    const given = resolve(folder);
    const real = await realpath(given).catch(() => undefined);
    if (real === undefined || !isDirectory(real)) throw new NoBundleRootError(given);
    return new BundleRoot(given, real);
  }

  /**
   * Where a file is in the bundle, with slashes; undefined if it is outside. As it was written, where
   * that is possible: what a file names is looked for from there, and not from where a link leads.
   */
  async placeOf(path: string): Promise<string | undefined> {
    const absolute = resolve(path);
    const place = placeBelow(this.#given, absolute) ?? placeBelow(this.folder, absolute);
    if (place !== undefined) return place;
    const real = await realpath(dirname(absolute)).catch(() => undefined);
    return real && placeBelow(this.folder, join(real, basename(absolute)));
  }

  /** A file that is not there yet is held against what its path says. Throws OutsideOfBundle. */
  async refuseOutside(path: string): Promise<void> {
    const real = await realpath(path).catch(() => undefined);
    const isInside =
      (await this.placeOf(path)) !== undefined &&
      (real === undefined || placeBelow(this.folder, real) !== undefined);
    if (!isInside) throw new OutsideOfBundleError(path, this.folder, real ?? path);
  }

  /** What a link at this place is in the bundle: it leads straight to what it means, or undefined. */
  linkTo(place: string, real: string): string | undefined {
    if (placeBelow(this.folder, real) === undefined) return undefined;
    return withSlashes(relative(dirname(join(this.folder, place)), real)) || '.';
  }
}

function placeBelow(folder: string, path: string): string | undefined {
  const place = relative(folder, path);
  const isOutside = place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place);
  return isOutside ? undefined : withSlashes(place);
}

function withSlashes(path: string): string {
  return path.split(sep).join('/');
}
