import { posix } from 'node:path';
import type { BundleRoot } from './bundle-root.js';
import type { LeftOut } from './bundle-tree.js';
import type { Manifest } from './manifest.js';

/** What a suite needs, as it travels to workers. Its files are read when they are sent. */
export class Bundle {
  readonly manifest: Manifest;
  /** What was below the root and stays here. */
  readonly leftOut: readonly LeftOut[];
  readonly #root: BundleRoot;

  constructor(root: BundleRoot, manifest: Manifest, leftOut: readonly LeftOut[]) {
    this.#root = root;
    this.manifest = manifest;
    this.leftOut = leftOut;
  }

  /** The digest of everything in it. */
  get id(): string {
    return this.manifest.id;
  }

  /** The folder that its paths are from. */
  get root(): string {
    return this.#root.folder;
  }

  /** Where a file of the suite is in the bundle, for who has it unpacked; undefined if it is outside. */
  placeOf(path: string): Promise<string | undefined> {
    return this.#root.placeOf(path);
  }
}

/** Finds what is at a place in a bundle, through its links, which lead straight to what they mean. */
export class BundlePlaces {
  readonly #links: ReadonlyMap<string, string>;
  readonly #known: ReadonlySet<string>;

  constructor(manifest: Manifest) {
    this.#links = new Map(manifest.links.map(({ path, link }) => [path, link]));
    this.#known = new Set(['', ...manifest.folders, ...manifest.files.map(({ path }) => path)]);
  }

  has(place: string): boolean {
    return this.#known.has(this.followed(place));
  }

  /** Where the links lead that are on the way. */
  followed(place: string): string {
    let current = '';
    for (const name of place.split('/')) {
      const next = posix.join(current, name);
      const link = this.#links.get(next);
      current = link === undefined ? next : posix.join(posix.dirname(next), link);
      if (current === '.') current = '';
    }
    return current;
  }
}
