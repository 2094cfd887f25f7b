import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentationSnippets } from '../support/doc-snippets.js';
import { LibraryConsumer } from '../support/library-consumer.js';

/** In the order of the page: later ones read the results that earlier ones write. */
const snippets = documentationSnippets().filter(
  ({ where, language }) => language === 'ts' && /^(docs\/library|README)\.md/.test(where),
);

describe.sequential('examples of the library in the documentation', () => {
  let consumer: LibraryConsumer;
  const fileOf = (index: number) => `example-${index}.ts`;

  beforeAll(async () => {
    consumer = await LibraryConsumer.create();
    for (const [index, { text }] of snippets.entries()) await consumer.write(fileOf(index), text);
    await consumer.compile(snippets.map((_, index) => fileOf(index)));
  }, 120_000);

  it('are found', () => expect(snippets.length).toBeGreaterThan(8));

  it.each(snippets.map(({ where }, index) => ({ where, index })))(
    '$where runs, and leaves no temporary files',
    async ({ index }) => {
      const { stdout, stderr } = await consumer.node([fileOf(index).replace('.ts', '.js')]);
      expect(stderr).toBe('');
      expect(stdout === '' && snippets[index]?.text.includes('console.log')).toBe(false);
      expect(await readdir(consumer.temporaryFolder)).toEqual([]);
    },
  );
});

it('docs/library.md names every function that the library exports, and no other', async () => {
  const library = await import('../../src/index.js');
  const page = await readFile(path.resolve(import.meta.dirname, '../../docs/library.md'), 'utf8');
  const exported = Object.keys(library).filter((name) => !new RegExp(`\`${name}[(\`]`).test(page));
  expect(exported).toEqual([]);
  const table = page.slice(page.indexOf('## Exports'));
  const named = [...table.matchAll(/`(\w+)\(/g)].map(([, name]) => name);
  expect(named.filter((name) => name !== 'taskRuns' && name !== 'interrupt')).toEqual(
    named.filter((name) => name && name in library),
  );
});
