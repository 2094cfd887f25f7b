import { describe, expect, it } from 'vitest';
import { readSkillFrontMatter } from './skill-front-matter.js';

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
