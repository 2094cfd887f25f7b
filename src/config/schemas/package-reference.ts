/** What `package` of an extension names. */
export type PackageReference = { kind: 'path'; path: string } | ReleaseReference;

export interface ReleaseReference {
  kind: 'release';
  /** As written: the key in the lock file. */
  text: string;
  owner: string;
  repo: string;
  version: string;
}

/** Why something is no reference: what follows "the package", and what to write instead. */
interface PackageFlaw {
  kind: 'flaw';
  reason: string;
  hint: string;
}

const releaseHost = 'https://github.com/';
const example = 'https://github.com/org/repo@v1.2.3';

/** More than one letter: `C:` is a drive. */
const scheme = /^[A-Za-z][A-Za-z0-9+.-]+:/;

const ownerName = /^[A-Za-z0-9_-]{1,100}$/;
const repoName = /^[A-Za-z0-9._-]{1,100}$/;
const versionName = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/** Whatever is taken for a release is safe as part of an address and as a file's name. */
export function readPackageReference(text: string): PackageReference | PackageFlaw {
  if (text.startsWith(releaseHost)) return readRelease(text);
  if (scheme.test(text)) {
    const hint = `write a path to a program (./${text} if it is one), or ${example}`;
    return { kind: 'flaw', reason: 'is neither a path nor a GitHub release', hint };
  }
  return { kind: 'path', path: text };
}

function readRelease(text: string): ReleaseReference | PackageFlaw {
  const place = text.slice(releaseHost.length);
  const at = place.indexOf('@');
  const [owner = '', repo = '', ...rest] = (at === -1 ? place : place.slice(0, at)).split('/');
  if (!isOwner(owner) || !isRepo(repo) || rest.length > 0) {
    const hint = `write it like ${example}`;
    return { kind: 'flaw', reason: 'does not name a GitHub repository', hint };
  }
  const version = at === -1 ? '' : place.slice(at + 1);
  const reason = findVersionFlaw(version);
  if (reason === undefined) return { kind: 'release', text, owner, repo, version };
  const hint = `name the tag of a release: ${releaseHost}${owner}/${repo}@v1.2.3`;
  return { kind: 'flaw', reason, hint };
}

function isOwner(name: string): boolean {
  return ownerName.test(name);
}

function isRepo(name: string): boolean {
  return repoName.test(name) && name !== '.' && name !== '..';
}

function findVersionFlaw(version: string): string | undefined {
  if (version === '') return 'has no version';
  if (version.toLowerCase() === 'latest') {
    return 'would be another program with every release: nothing is pinned';
  }
  const isTag = versionName.test(version) && !version.includes('..');
  return isTag ? undefined : 'has a version that cannot be a tag';
}
