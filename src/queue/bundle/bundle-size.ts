import { formatSize, plural } from '../../base/text.js';
import { BundleTooLargeError } from './bundle-errors.js';
import { type BundleLink, maxEntries } from './manifest.js';

interface Contents {
  files: readonly { path: string; size: number }[];
  links: readonly BundleLink[];
  emptyFolders: readonly string[];
  /** There is more. */
  isCut: boolean;
}

const largestTold = 5;

/** Throws BundleTooLarge, which names what takes up most. */
export function refuseTooLarge(root: string, contents: Contents, maxBytes: number): void {
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
