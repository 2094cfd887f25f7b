import { describe, expect, it } from 'vitest';
import { readPackageReference } from './package-reference.js';

describe('readPackageReference', () => {
  it('reads a release of GitHub', () => {
    const text = 'https://github.com/mcpchecker/kubernetes-extension@v0.1.2';
    expect(readPackageReference(text)).toEqual({
      kind: 'release',
      text,
      owner: 'mcpchecker',
      repo: 'kubernetes-extension',
      version: 'v0.1.2',
    });
  });

  it.each(['./program', '/opt/program', '~/program', 'program', 'C:\\tools\\program.exe', 'a@b'])(
    'takes %s for a path',
    (path) => {
      expect(readPackageReference(path)).toEqual({ kind: 'path', path });
    },
  );

  it.each([
    'http://github.com/org/repo@v1',
    'https://gitlab.com/org/repo@v1',
    'https://github.com.evil.example/org/repo@v1',
    'file:///opt/program',
    'npm:some-package',
    'github:org/repo@v1',
  ])('refuses %s, and says what is allowed', (text) => {
    expect(readPackageReference(text)).toEqual({
      kind: 'flaw',
      reason: 'is neither a path nor a GitHub release',
      hint: expect.stringContaining('https://github.com/org/repo@v1.2.3'),
    });
  });

  it.each(['https://github.com/org/repo', 'https://github.com/org/repo@'])(
    'asks for a version in %s',
    (text) => {
      expect(readPackageReference(text)).toEqual({
        kind: 'flaw',
        reason: 'has no version',
        hint: 'name the tag of a release: https://github.com/org/repo@v1.2.3',
      });
    },
  );

  it.each(['latest', 'Latest'])('refuses the version %s, as it pins nothing', (version) => {
    expect(readPackageReference(`https://github.com/org/repo@${version}`)).toEqual({
      kind: 'flaw',
      reason: expect.stringContaining('nothing is pinned'),
      hint: expect.stringContaining('@v1.2.3'),
    });
  });

  it.each([
    '../v1',
    'v1/../../x',
    'v1/x',
    'v1..2',
    '..',
    '.hidden',
    'v1 ',
    'v1?x=1',
    'v1#x',
    'v1%2f',
    'v1@v2',
    'v1\\x',
    'v1\n',
    'v'.repeat(200),
  ])('refuses the version %j', (version) => {
    expect(readPackageReference(`https://github.com/org/repo@${version}`)).toMatchObject({
      kind: 'flaw',
      reason: 'has a version that cannot be a tag',
    });
  });

  it.each(['', 'org', 'org/', '/repo', 'org/..', 'org/.', '../repo', 'org/repo/x', 'o rg/repo'])(
    'refuses the repository %j',
    (repository) => {
      expect(readPackageReference(`https://github.com/${repository}@v1`)).toMatchObject({
        kind: 'flaw',
        reason: 'does not name a GitHub repository',
      });
    },
  );
});
