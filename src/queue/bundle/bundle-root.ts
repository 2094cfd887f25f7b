import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isDirectory } from '../../base/files.js';
import { NoBundleRoot, OutsideOfBundle } from './bundle-errors.js';

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
    if (real === undefined || !isDirectory(real)) throw new NoBundleRoot(given);
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
    if (!isInside) throw new OutsideOfBundle(path, this.folder, real ?? path);
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
