import { ExtensionError } from '../extension-definition.js';

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

const releaseHost = 'https://github.com/';
const example = 'https://github.com/org/repo@v1.2.3';

/** More than one letter: `C:` is a drive. */
const scheme = /^[A-Za-z][A-Za-z0-9+.-]+:/;

const ownerName = /^[A-Za-z0-9_-]{1,100}$/;
const repoName = /^[A-Za-z0-9._-]{1,100}$/;
const versionName = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,127}$/;

/** Throws ExtensionError. Whatever passes is safe as part of an address and as a file's name. */
export function readPackageReference(text: string): PackageReference {
  if (text.startsWith(releaseHost)) return readRelease(text);
  if (scheme.test(text)) {
    throw new ExtensionError(`The package ${text} is neither a path nor a GitHub release.`, {
      hint: `Write a path to a program (./${text} if it is one), or ${example}.`,
    });
  }
  return { kind: 'path', path: text };
}

function readRelease(text: string): ReleaseReference {
  const place = text.slice(releaseHost.length);
  const at = place.indexOf('@');
  const [owner = '', repo = '', ...rest] = (at === -1 ? place : place.slice(0, at)).split('/');
  if (!isOwner(owner) || !isRepo(repo) || rest.length > 0) {
    throw new ExtensionError(`The package ${text} does not name a GitHub repository.`, {
      hint: `Write it like this: ${example}.`,
    });
  }
  const version = at === -1 ? '' : place.slice(at + 1);
  refuseVersion(version, { text, repository: `${releaseHost}${owner}/${repo}` });
  return { kind: 'release', text, owner, repo, version };
}

function isOwner(name: string): boolean {
  return ownerName.test(name);
}

function isRepo(name: string): boolean {
  return repoName.test(name) && name !== '.' && name !== '..';
}

function refuseVersion(version: string, named: { text: string; repository: string }): void {
  const hint = `Name the tag of a release: ${named.repository}@v1.2.3.`;
  if (version === '') {
    throw new ExtensionError(`The package ${named.text} has no version.`, { hint });
  }
  if (version.toLowerCase() === 'latest') {
    throw new ExtensionError(
      `The package ${named.text} would be another program with every release: nothing is pinned.`,
      { hint },
    );
  }
  if (!versionName.test(version) || version.includes('..')) {
    throw new ExtensionError(`The package ${named.text} has a version that cannot be a tag.`, {
      hint,
    });
  }
}
