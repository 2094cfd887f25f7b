import { describe, expect, it } from 'vitest';
import { findRefFlaw, removeCredentials, resolveAddress } from './git-checkout.js';

describe('addressOf', () => {
  it.each([
    ['github.com/org/repo', 'https://github.com/org/repo'],
    ['git.example.com:8443/group/repo.git', 'https://git.example.com:8443/group/repo.git'],
    ['https://example.com/repo', 'https://example.com/repo'],
    ['git@github.com:org/repo.git', 'git@github.com:org/repo.git'],
    ['ssh://git@example.com/repo', 'ssh://git@example.com/repo'],
    ['myhost:repo.git', 'myhost:repo.git'],
    ['git.example.com:repo.git', 'git.example.com:repo.git'],
    ['./with:colon', '/evals/suite/with:colon'],
    ['ext::sh -c date', 'ext::sh -c date'],
    ['../repo', '/evals/repo'],
    ['org/repo', '/evals/suite/org/repo'],
    ['/srv/repo', '/srv/repo'],
    ['~/repo', '/home/me/repo'],
    ['--upload-pack=date', '/evals/suite/--upload-pack=date'],
  ])('takes %s for %s', (repo, address) => {
    expect(resolveAddress(repo, '/evals/suite', { HOME: '/home/me' })).toBe(address);
  });
});

describe('flawOfRef', () => {
  it.each(['main', 'v1.2.0', 'feature/x-y', 'refs/tags/v1', 'HEAD', 'a'.repeat(40)])(
    'takes %s',
    (ref) => expect(findRefFlaw(ref)).toBeUndefined(),
  );

  it.each(['--upload-pack=x', '-x', 'a:b', '+main', 'a..b', 'main~1', 'a b', '*', 'a@{1}', ''])(
    'refuses %j',
    (ref) => expect(findRefFlaw(ref)).toContain('is no name'),
  );
});

it('leaves user, password and token out of addresses', () => {
  const text = "unable to access 'https://me:s3cret@example.com/x' or ssh://token@host/y";
  expect(removeCredentials(text)).toBe("unable to access 'https://example.com/x' or ssh://host/y");
  expect(removeCredentials('https://me:p@ss@host/x@y')).toBe('https://host/x@y');
});
