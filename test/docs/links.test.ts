import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentationPages } from '../support/doc-snippets.js';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = [...documentationPages(), { file: 'CHANGELOG.md', text: read('CHANGELOG.md') }];

/** Code shows what others write: its brackets are no links, and its signs no headings. */
function withoutCode(text: string): string {
  return text.replace(/^( *)```.*?^\1```$/gms, '').replace(/^ {4}.*$/gm, '');
}

/** Anchors of a page as GitHub makes them from its headings. */
function findAnchors(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
    let name = anchor;
    for (let times = 1; anchors.has(name); times++) name = `${anchor}-${times}`;
    anchors.add(name);
  }
  for (const [, id = ''] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/** Links to other files of the project and to places on the same page. */
function findLinks(text: string): string[] {
  const prose = withoutCode(text).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** What is wrong with a link on a page; undefined: nothing. */
function findFlaw(file: string, target: string): string | undefined {
  const [name = '', anchor] = target.split('#');
  const linked = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
  if (!existsSync(path.join(root, linked))) return `${target}: there is no ${linked}`;
  if (anchor === undefined || !linked.endsWith('.md')) return undefined;
  return findAnchors(read(linked)).has(anchor)
    ? undefined
    : `${target}: ${linked} has no such heading`;
}

describe('links in the documentation', () => {
  it('are found', () => {
    expect(pages.flatMap(({ text }) => findLinks(text)).length).toBeGreaterThan(300);
    expect(findFlaw('README.md', 'docs/nowhere.md')).toContain('there is no docs/nowhere.md');
    expect(findFlaw('README.md', 'docs/results.md#nowhere')).toContain('has no such heading');
    expect(findFlaw('docs/results.md', '#the-html-report')).toBeUndefined();
  });

  it.each(pages.map(({ file, text }) => [file, text] as const))(
    '%s links only to files and headings that exist',
    (file, text) => {
      const flaws = findLinks(text).flatMap((target) => findFlaw(file, target) ?? []);
      expect(flaws).toEqual([]);
    },
  );

  it('lead from the README to every page of docs', () => {
    const texts = new Map(pages.map(({ file, text }) => [file, text]));
    const reached = new Set(['README.md']);
    for (const file of reached) {
      for (const target of findLinks(texts.get(file) ?? '')) {
        const [name = ''] = target.split('#');
        if (name !== '') reached.add(path.posix.join(path.posix.dirname(file), name));
      }
    }
    const files = pages.map(({ file }) => file).filter((file) => file.startsWith('docs/'));
    expect(files.filter((file) => !reached.has(file))).toEqual([]);
  });
});
