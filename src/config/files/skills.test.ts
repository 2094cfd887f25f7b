import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listSkillFiles, readSkillFrontMatter, SkillBudget } from './skills.js';

let folder = '';
let source = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'skill-files-')));
  source = join(folder, 'skills');
  write('greeting/SKILL.md');
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text = 'x') {
  mkdirSync(dirname(join(source, path)), { recursive: true });
  writeFileSync(join(source, path), text);
}

function link(path: string, target: string) {
  mkdirSync(dirname(join(source, path)), { recursive: true });
  symlinkSync(target, join(source, path));
}

const list = (budget = new SkillBudget()) =>
  listSkillFiles(join(source, 'greeting'), source, budget);

describe('listSkillFiles', () => {
  it('finds all files, hidden ones too', () => {
    write('greeting/scripts/deep/greet.sh');
    write('greeting/.hidden');
    write('other/SKILL.md');
    expect(list()).toEqual(
      ['.hidden', 'SKILL.md', 'scripts/deep/greet.sh'].map((path) => ({
        path,
        from: join(source, 'greeting', path),
      })),
    );
  });

  it('follows links that stay in the source, of files and folders', () => {
    write('shared/words.md');
    link('greeting/shared', '../shared');
    link('greeting/words.md', 'shared/words.md');
    const from = join(source, 'shared', 'words.md');
    expect(list().slice(1)).toEqual([
      { path: 'shared/words.md', from },
      { path: 'words.md', from },
    ]);
  });

  it('works for a source that is reached through a link', () => {
    const linked = join(folder, 'linked');
    symlinkSync(source, linked);
    const found = listSkillFiles(join(linked, 'greeting'), linked, new SkillBudget());
    expect(found).toEqual([{ path: 'SKILL.md', from: join(source, 'greeting/SKILL.md') }]);
  });

  it.each(['../../outside', '/etc'])('refuses a link that leads out of the source, to %s', (to) => {
    mkdirSync(join(folder, 'outside'));
    link('greeting/data', to);
    expect(() => list()).toThrow('greeting/data is a link that leads out of the source');
  });

  it('refuses a folder whose name only begins like that of the source', () => {
    mkdirSync(join(folder, 'skills-of-others'));
    link('greeting/data', '../../skills-of-others');
    expect(() => list()).toThrow('leads out of the source');
  });

  it('refuses a link that leads nowhere', () => {
    link('greeting/data', 'nowhere');
    expect(() => list()).toThrow('greeting/data is a link that leads nowhere');
  });

  it.each(['.', '..', '../../skills'])('refuses a link to a folder around it: %s', (target) => {
    link('greeting/round', target);
    expect(() => list()).toThrow('is a link to a folder around it');
  });

  it('refuses what is neither a file nor a folder', () => {
    execFileSync('mkfifo', [join(source, 'greeting/pipe')]);
    expect(() => list()).toThrow('greeting/pipe is neither a file nor a folder');
  });

  it('refuses too many files, and counts folders, over all skills of a budget', () => {
    write('greeting/a/b');
    expect(list(new SkillBudget(4))).toHaveLength(2);
    expect(() => list(new SkillBudget(3))).toThrow('the skills have more than 3 files');
    const budget = new SkillBudget(7);
    list(budget);
    expect(() => list(budget)).toThrow('the skills have more than 7 files');
  });

  it('refuses too many bytes', () => {
    const mebibyte = 1024 * 1024;
    write('greeting/large', 'x'.repeat(mebibyte - 1));
    expect(list(new SkillBudget(9, mebibyte))).toHaveLength(2);
    write('greeting/one-more');
    expect(() => list(new SkillBudget(9, mebibyte))).toThrow('the skills take more than 1 MiB');
  });
});

describe('readSkillFrontMatter', () => {
  it('finds the name', () => {
    const text =
      '---\nname: greeting\ndescription: >\n  How to\n  greet.\n---\n\nSay hello.\n---\n';
    expect(readSkillFrontMatter(text)).toEqual({ name: 'greeting', flaws: [] });
  });

  it('takes line ends of Windows', () => {
    const text = '---\r\nname: greeting\r\ndescription: How to greet.\r\n---\r\nSay hello.';
    expect(readSkillFrontMatter(text)).toEqual({ name: 'greeting', flaws: [] });
  });

  it.each([
    ['nothing', ''],
    ['only text', 'Say hello.'],
    ['no end of it', '---\nname: greeting\n'],
    ['something before it', '\n---\nname: greeting\n---\n'],
  ])('says that there is none: %s', (_, text) => {
    const flaws = ['the skill has no front matter between two lines of ---'];
    expect(readSkillFrontMatter(text)).toEqual({ flaws });
  });

  it.each([
    ['nothing', '---\n---\n'],
    ['a list', '---\n- name\n---\n'],
    ['no YAML', '---\nname: use when: x\n---\n'],
    ['a tag', '---\nname: !env X\n---\n'],
  ])('says that it cannot be read: %s', (_, text) => {
    const flaws = ['the front matter of the skill is not a YAML map'];
    expect(readSkillFrontMatter(text)).toEqual({ flaws });
  });

  it('says what is missing', () => {
    const noName = 'the skill has no name in its front matter';
    const noDescription = 'the skill has no description in its front matter';
    const read = (yaml: string) => readSkillFrontMatter(`---\n${yaml}\n---\n`);
    expect(read('license: MIT')).toEqual({ flaws: [noName, noDescription] });
    expect(read('name: 5\ndescription: x')).toEqual({ flaws: [noName] });
    expect(read('name: a\ndescription: " "')).toEqual({ name: 'a', flaws: [noDescription] });
  });
});
