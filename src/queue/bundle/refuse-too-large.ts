import { formatSize, plural } from '../../base/text.js';
import { BundleTooLarge } from './bundle-errors.js';
import { largestParts } from './largest-parts.js';
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
    const largest = largestParts(weighed, largestTold);
    const told = largest.map(({ path, weight }) => `${path} (${plural(weight, 'file')})`);
    const found = `${isCut ? 'more than ' : ''}${plural(paths.length, 'file')}`;
    throw new BundleTooLarge(root, found, String(maxEntries), told);
  }
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maxBytes) return;
  const weighed = files.map(({ path, size }) => ({ path, weight: size }));
  const largest = largestParts(weighed, largestTold);
  const told = largest.map(({ path, weight }) => `${path} (${formatSize(weight)})`);
  throw new BundleTooLarge(root, formatSize(bytes), formatSize(maxBytes), told);
}
