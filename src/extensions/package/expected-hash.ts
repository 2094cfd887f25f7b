import { ExtensionError } from '../extension-definition.js';
import { hashesIn, isChecksumList } from './checksum-list.js';
import type { Release, ReleaseAsset } from './release.js';
import type { Releases } from './releases.js';

/** Some have one for each of their files. */
const maxLists = 50;
const maxListBytes = 4 * 1024 * 1024;

interface Claim {
  by: string;
  hash: string;
}

/**
 * The SHA-256 that a release says an asset has. Throws ExtensionError if it says none, or several:
 * what cannot be checked is not run.
 */
export async function expectedHash(
  asset: ReleaseAsset,
  release: Release,
  releases: Releases,
): Promise<string> {
  const claims = await claimsAbout(asset, release, releases);
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

async function claimsAbout(
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
    const hashes = hashesIn(await releases.text(list), list.name, asset.name);
    claims.push(...hashes.map((hash) => ({ by: list.name, hash })));
  }
  return claims;
}
