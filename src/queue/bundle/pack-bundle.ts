import { readFile, stat } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { formatSize, plural } from '../../base/text.js';
import type { Plan } from '../../plan/plan.js';
import type { Suite } from '../../plan/suite.js';
import { listSuiteFiles } from '../../run/resume/suite-files.js';
import { queueDefaults } from '../../run/session/check-option-table.js';
import {
  BundleTooLargeError,
  LeftOutOfBundleError,
  UnreadableBundleFileError,
} from './bundle-errors.js';
import { BundleRoot, type FoundFile, findTree, type LeftOut, remedyByName } from './bundle-tree.js';
import { readPieces, splitIntoBatches } from './file-pieces.js';
import { IgnoreRules, ignoreFileName, reasonByContent } from './ignore-rules.js';
import { type BundleFile, type BundleLink, Manifest, maxEntries } from './manifest.js';

export interface PackOptions {
  /** The suite's root: every file below it travels, but for what is left out. */
  root: string;
  /** Files that the suite is known to use: all of them have to be in the bundle. */
  reached: readonly string[];
  /** Files and folders that this check writes. */
  outputs?: readonly string[];
  maxBytes?: number;
}

/**
 * Lists what is below the root, with digests. All files, as it cannot be known which helpers a script
 * calls and what a server loads. Throws BundleError.
 */
export async function packBundle(options: PackOptions): Promise<Bundle> {
  const { reached, outputs = [], maxBytes = queueDefaults.bundleMebibytes * 1024 ** 2 } = options;
  const root = await BundleRoot.open(options.root);
  for (const path of reached) await root.refuseOutside(path);
  const places = await Promise.all(outputs.map((path) => root.placeOf(path)));
  const known = new Set(places.filter((place) => place !== undefined));
  const tree = await findTree(root, await rulesOf(root), known);
  refuseTooLarge(root.folder, tree, maxBytes);
  const { files, leftOut } = await readFiles(root.folder, tree.files, maxBytes);
  const manifest = new Manifest([
    ...files,
    ...tree.links,
    ...tree.emptyFolders.map((path) => ({ path, folder: true as const })),
  ]);
  // Again, as files may have grown.
  refuseTooLarge(root.folder, { ...tree, files }, maxBytes);
  const bundle = new Bundle(root, manifest, [...tree.leftOut, ...leftOut]);
  await refuseLeftOut(bundle, reached);
  return bundle;
}

async function rulesOf({ folder }: BundleRoot): Promise<IgnoreRules> {
  const path = join(folder, ignoreFileName);
  try {
    return IgnoreRules.parse(await readFile(path, 'utf8'), path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return IgnoreRules.parse('', path);
    throw code === undefined ? error : new UnreadableBundleFileError(path, error);
  }
}

async function readFiles(
  root: string,
  found: readonly FoundFile[],
  maxBytes: number,
): Promise<{ files: BundleFile[]; leftOut: LeftOut[] }> {
  const files: BundleFile[] = [];
  const leftOut: LeftOut[] = [];
  for (const batch of splitIntoBatches(found, ({ size }) => size)) {
    const read = await Promise.all(batch.map((file) => readOne(root, file, maxBytes)));
    for (const file of read) {
      if (file && 'reason' in file) leftOut.push(file);
      else if (file) files.push(file);
    }
  }
  return { files, leftOut };
}

/** Undefined if it is gone by now. */
async function readOne(
  root: string,
  { path, executable, isNamed }: FoundFile,
  maxBytes: number,
): Promise<BundleFile | LeftOut | undefined> {
  try {
    const { size, pieces, head } = await readPieces(join(root, path), maxBytes);
    const reason = isNamed ? undefined : reasonByContent(head);
    if (reason !== undefined) return { path, reason, remedy: remedyByName(path) };
    return { path, size, ...(executable && { executable }), pieces };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UnreadableBundleFileError(join(root, path), error);
  }
}

/** A file that is not there yet, as a placeholder completes its name, is looked for when it is used. */
async function refuseLeftOut(bundle: Bundle, reached: readonly string[]): Promise<void> {
  const places = new BundlePlaces(bundle.manifest);
  for (const path of reached) {
    const place = await bundle.placeOf(path);
    const isThere = (await stat(path).catch(() => undefined)) !== undefined;
    if (!isThere || place === undefined || places.has(place)) continue;
    const real = places.followed(place);
    const cause = bundle.leftOut.find((each) =>
      [place, real].some((at) => at === each.path || at.startsWith(`${each.path}/`)),
    );
    const { reason = 'it was not there a moment ago', remedy = 'try again' } = cause ?? {};
    throw new LeftOutOfBundleError(path, reason, remedy);
  }
}

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
class BundlePlaces {
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

/** Every file that a suite is known to use. */
export function listReachedPaths(
  variants: readonly [Suite, ...Suite[]],
  plan: Plan,
  environment: NodeJS.ProcessEnv,
): string[] {
  const [{ eval: evalFile, prices }] = variants;
  const folder = dirname(evalFile.source.path);
  const files = listSuiteFiles(variants, plan, environment);
  const paths = files.map(({ path }) => resolve(folder, path));
  return prices ? [...paths, prices.source.path] : paths;
}

interface Contents {
  files: readonly { path: string; size: number }[];
  links: readonly BundleLink[];
  emptyFolders: readonly string[];
  /** There is more. */
  isCut: boolean;
}

const largestTold = 5;

/** Throws BundleTooLarge, which names what takes up most. */
function refuseTooLarge(root: string, contents: Contents, maxBytes: number): void {
  const { files, links, emptyFolders, isCut } = contents;
  const paths = [...[...files, ...links].map(({ path }) => path), ...emptyFolders];
  if (paths.length > maxEntries) {
    const weighed = paths.map((path) => ({ path, weight: 1 }));
    const largest = findLargestParts(weighed, largestTold);
    const parts = largest.map(({ path, weight }) => `${path} (${plural(weight, 'file')})`);
    const found = `${isCut ? 'more than ' : ''}${plural(paths.length, 'file')}`;
    throw new BundleTooLargeError(root, found, String(maxEntries), parts);
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maxBytes) return;
  const weighed = files.map(({ path, size }) => ({ path, weight: size }));
  const largest = findLargestParts(weighed, largestTold);
  const parts = largest.map(({ path, weight }) => `${path} (${formatSize(weight)})`);
  throw new BundleTooLargeError(root, formatSize(bytes), formatSize(maxBytes), parts);
}

interface Weighed {
  path: string;
  weight: number;
}

interface Part extends Weighed {
  parts: Map<string, Part>;
}

/** A folder of which one part is nearly everything says less than that part. */
const nearlyAll = 0.8;

/** The files and folders that most of the weight is in, the heaviest first. */
function findLargestParts(files: readonly Weighed[], count: number): Weighed[] {
  const root: Part = { path: '', weight: 0, parts: new Map() };
  for (const { path, weight } of files) addTo(root, path, weight);
  return [...root.parts.values()]
    .map(narrowed)
    .sort((left, right) => right.weight - left.weight)
    .slice(0, count)
    .map(({ path, weight, parts }) => ({ path: parts.size > 0 ? `${path}/` : path, weight }));
}

function addTo(root: Part, path: string, weight: number): void {
  let part = root;
  for (const name of path.split('/')) {
    const known = part.parts.get(name);
    const path = part.path === '' ? name : `${part.path}/${name}`;
    const next = known ?? { path, weight: 0, parts: new Map<string, Part>() };
    if (!known) part.parts.set(name, next);
    next.weight += weight;
    part = next;
  }
}

function narrowed(part: Part): Part {
  const heaviest = [...part.parts.values()].find(({ weight }) => weight >= nearlyAll * part.weight);
  return heaviest ? narrowed(heaviest) : part;
}
