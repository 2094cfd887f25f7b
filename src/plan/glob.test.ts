import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileGlob, type FoundFile, findFiles } from './glob.js';

let folder: string;
const files = [
  ...['a.yaml', 'b.yml', '.hidden.yaml', 'x/a.yaml', 'x/y/a.yaml', 'x/y/z/b.yaml', '.git/a.yaml'],
  ...['[1].yaml', 'a+b.yaml', '(c).yaml', 'a,b.yaml', 'ä😀.yaml', `${'a'.repeat(200)}.yaml`],
];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'proctor-glob-'));
  for (const file of files) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), '');
  }
  symlinkSync('..', path.join(folder, 'x/up'));
  symlinkSync('nowhere', path.join(folder, 'x/dangling.yaml'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function find(glob: string, from = folder): string[] {
  const result = findFiles(glob, from);
  if (!('files' in result)) throw new Error(result.reason);
  return relativeOf(result.files);
}

function relativeOf(found: readonly FoundFile[]): string[] {
  return found.map((file) => path.relative(folder, file.path)).sort();
}

describe('findFiles, by a glob', () => {
  it.each([
    ['a.yaml', ['a.yaml']],
    ['./a.yaml', ['a.yaml']],
    ['?.y*ml', ['a.yaml', 'b.yml']],
    ['*.{yml,json}', ['b.yml']],
    ['{a,b}.{yaml,yml}', ['a.yaml', 'b.yml']],
    ['[ab].y*', ['a.yaml', 'b.yml']],
    ['[!b].yaml', ['a.yaml']],
    ['[a-z].yaml', ['a.yaml']],
    ['\\[1\\].yaml', ['[1].yaml']],
    ['[[]1].yaml', ['[1].yaml']],
    ['a+b.yaml', ['a+b.yaml']],
    ['(c).yaml', ['(c).yaml']],
    ['a,b.yaml', ['a,b.yaml']],
    ['?😀.yaml', ['ä😀.yaml']],
    ['.*.yaml', ['.hidden.yaml']],
    ['.git/*', ['.git/a.yaml']],
    ['x/*.yaml', ['x/a.yaml', 'x/dangling.yaml']],
    ['x/*/a.yaml', ['x/up/a.yaml', 'x/y/a.yaml']],
    ['**/a.yaml', ['a.yaml', 'x/a.yaml', 'x/y/a.yaml']],
    ['x/**/b.yaml', ['x/y/z/b.yaml']],
    ['x/y/**', ['x/y/a.yaml', 'x/y/z/b.yaml']],
    ['{x/y,x/y/z}/*.yaml', ['x/y/a.yaml', 'x/y/z/b.yaml']],
    ['nothing/**/*.yaml', []],
  ])('%s', (glob, expected) => {
    expect(find(glob)).toEqual(expected);
  });

  it('goes up, and takes absolute globs', () => {
    expect(find('../../a.yaml', path.join(folder, 'x/y'))).toEqual(['a.yaml']);
    expect(find('../*.yml', path.join(folder, 'x'))).toEqual(['b.yml']);
    expect(find(`${folder}/?.yaml`)).toEqual(['a.yaml']);
  });

  it('takes linear time for globs that would make a backtracking engine explode', () => {
    expect(find(`${'*a'.repeat(40)}*b`)).toEqual([]);
    expect(find('(a+)+b')).toEqual([]);
  });

  it.each([
    ['tasks/[ab', 6],
    ['{a,b', 0],
    ['{a,{b}', 0],
    ['x[]', 1],
    ['a\0b', 1],
    ['x'.repeat(501), 0],
  ])('refuses the glob %j', (glob, offset) => {
    expect(findFiles(glob, folder)).toMatchObject({ offset, reason: expect.any(String) });
  });

  it('looks no deeper than the glob reaches', () => {
    expect(findFiles('?.yaml', folder, { maxFolders: 1 })).toMatchObject({
      files: [{ path: path.join(folder, 'a.yaml') }],
    });
  });

  it('gives the real path of a file beside the one it was found on', () => {
    const result = findFiles('x/*/a.yaml', folder);
    if (!('files' in result)) throw new Error(result.reason);
    expect(Object.fromEntries(result.files.map((file) => [file.path, file.realPath]))).toEqual({
      [path.join(folder, 'x/up/a.yaml')]: path.join(realpathSync(folder), 'a.yaml'),
      [path.join(folder, 'x/y/a.yaml')]: path.join(realpathSync(folder), 'x/y/a.yaml'),
    });
  });

  it('finds what only a wider glob matches on the way', () => {
    const result = findFiles('./*.yml', folder, { wider: './*.{yaml,yml}' });
    if (!('files' in result)) throw new Error(result.reason);
    expect(relativeOf(result.files)).toEqual(['b.yml']);
    expect(relativeOf(result.nearMisses)).toEqual(find('*.yaml'));
  });

  it('ends a search that goes too far', () => {
    expect(findFiles('**/a.yaml', folder, { maxFolders: 2 })).toMatchObject({
      reason: expect.any(String),
    });
  });
});

describe('compileGlob, of a simple glob', () => {
  const pieces = (...more: string[]) =>
    fc
      .array(fc.constantFrom('a', 'b', '.', '/', '.yaml', '😀', '\n', '-', '+', '(', ...more), {
        maxLength: 8,
      })
      .map((all) => all.join(''));

  it('matches the same names as RE2 does', () => {
    fc.assert(
      fc.property(pieces('*', '**/', '/*', '$', '|'), pieces(), (start, name) => {
        const matches = (glob: string) => {
          const compiled = compileGlob(glob);
          return 'pattern' in compiled && compiled.pattern.test(name);
        };
        // Braces around nothing change nothing behind a letter, but are not simple.
        expect(matches(`${start}b`)).toBe(matches(`${start}b{}`));
      }),
      { numRuns: 2000 },
    );
  });
});
