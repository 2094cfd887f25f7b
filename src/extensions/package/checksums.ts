import { ExtensionError } from '../extension-definition.js';
import { parseSha256 } from './hashed-file.js';
import type { Release, ReleaseAsset } from './release-host.js';
import type { Releases } from './releases.js';

/** How many lists are read: some releases have one for each file. */
const maxLists = 50;
const maxListBytes = 4 * 1024 * 1024;

interface Claim {
  by: string;
  hash: string;
}

/**
 * Finds the SHA-256 that a release gives for an asset. Throws ExtensionError if there is none, or several:
 * a program that cannot be verified is not run.
 */
export async function findExpectedHash(
  asset: ReleaseAsset,
  release: Release,
  releases: Releases,
): Promise<string> {
  const claims = await collectClaims(asset, release, releases);
  const [first] = claims;
  if (!first) {
    throw new ExtensionError(
      `the release ${release.page} has no SHA-256 checksum for ${asset.name}: it cannot be checked, so it is not run`,
      { hint: `its author can add a file checksums.txt with lines of "<hash>  <name>"` },
    );
  }
  if (claims.every(({ hash }) => hash === first.hash)) return first.hash;
  throw new ExtensionError(
    `the release ${release.page} contradicts itself about the checksum of ${asset.name}`,
    {
      details: claims.map(({ by, hash }) => `${by}: ${hash}`).join('\n'),
      hint: 'the file or its checksums were replaced: ask its author',
    },
  );
}

async function collectClaims(
  asset: ReleaseAsset,
  { assets }: Release,
  releases: Releases,
): Promise<Claim[]> {
  const claims: Claim[] = [];
  if (asset.digest !== undefined) claims.push({ by: 'GitHub', hash: asset.digest });
  const lists = assets.filter(
    ({ name, bytes }) => isChecksumList(name, asset.name) && bytes <= maxListBytes,
  );
  for (const list of lists.slice(0, maxLists)) {
    const hashes = findHashes(await releases.text(list), list.name, asset.name);
    claims.push(...hashes.map((hash) => ({ by: list.name, hash })));
  }
  return claims;
}

const listName = /checksums.*\.txt$|^sha256sums(\.txt)?$/i;

/** Whether a file of a release, by its name, can hold the checksum of an asset. */
export function isChecksumList(name: string, assetName: string): boolean {
  return listName.test(name) || name === getChecksumFileName(assetName);
}

/**
 * Finds the SHA-256 hashes of an asset in a list, normally one. Lines read `<hash>  <name>` or
 * `<hash> *<name>`; a file of the asset's own can hold the hash alone.
 */
export function findHashes(text: string, listName: string, assetName: string): string[] {
  const isOwn = listName === getChecksumFileName(assetName);
  const hashes = new Set<string>();
  for (const line of text.split('\n')) {
    const [first = '', ...rest] = line.trim().split(/\s+/);
    const name = rest.join(' ');
    const isAbout = name === '' ? isOwn : readFileName(name) === assetName;
    const hash = isAbout ? parseSha256(first) : undefined;
    if (hash !== undefined) hashes.add(hash);
  }
  return [...hashes];
}

function getChecksumFileName(assetName: string): string {
  return `${assetName}.sha256`;
}

/** Reads the file name. A star means binary mode; some tools write the folder too. */
function readFileName(name: string): string {
  return name.replace(/^\*/, '').replace(/^.*\//, '');
}
