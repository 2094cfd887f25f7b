import { sha256In } from './sha256.js';

const listName = /checksums.*\.txt$|^sha256sums(\.txt)?$/i;

/** Whether a file of a release, by its name, can hold the checksum of an asset. */
export function isChecksumList(name: string, assetName: string): boolean {
  return listName.test(name) || name === ownChecksumFile(assetName);
}

/**
 * The SHA-256 hashes that a list has for an asset: normally one. Lines read `<hash>  <name>` or
 * `<hash> *<name>`; a file of the asset's own can hold the hash alone.
 */
export function hashesIn(text: string, listName: string, assetName: string): string[] {
  const isOwn = listName === ownChecksumFile(assetName);
  const hashes = new Set<string>();
  for (const line of text.split('\n')) {
    const [first = '', ...rest] = line.trim().split(/\s+/);
    const name = rest.join(' ');
    const isAbout = name === '' ? isOwn : fileNameIn(name) === assetName;
    const hash = isAbout ? sha256In(first) : undefined;
    if (hash !== undefined) hashes.add(hash);
  }
  return [...hashes];
}

function ownChecksumFile(assetName: string): string {
  return `${assetName}.sha256`;
}

/** The star stands for "as bytes"; some tools write the folder too. */
function fileNameIn(name: string): string {
  return name.replace(/^\*/, '').replace(/^.*\//, '');
}
