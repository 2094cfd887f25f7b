import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LibraryConsumer } from '../support/library-consumer.js';

const types = path.resolve(import.meta.dirname, '../../dist/types');

/** The files that an entry reaches, with their texts. */
async function readReached(file: string, known = new Map<string, string>()) {
  if (known.has(file)) return known;
  const text = await readFile(path.join(types, file), 'utf8');
  known.set(file, text);
  for (const [, from = ''] of text.matchAll(/ from '(\.[^']*)\.js'/g)) {
    await readReached(path.join(path.dirname(file), `${from}.d.ts`), known);
  }
  return known;
}

const declaration = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

describe.each(['index', 'extension'])('the declarations of %s', (entry) => {
  let files: Map<string, string>;
  let exported: string[];

  beforeAll(async () => {
    files = await readReached(`${entry}.d.ts`);
    const text = files.get(`${entry}.d.ts`) ?? '';
    exported = [...text.matchAll(/^export (?:type )?\{ (\w+) \}/gm)].map(([, name]) => name ?? '');
  });

  it('export every type that appears in a signature', () => {
    const declared = [...files.values()].flatMap((text) =>
      [...text.matchAll(declaration)].map(([, name]) => name ?? ''),
    );
    expect(declared.length).toBeGreaterThan(0);
    expect(declared.filter((name) => !exported.includes(name))).toEqual([]);
    expect(new Set(exported).size).toBe(exported.length);
  });

  it('can be imported by name, with nothing but the package', async () => {
    const consumer = await LibraryConsumer.create();
    const from = entry === 'index' ? 'mcp-proctor' : `mcp-proctor/${entry}`;
    await consumer.write('names.ts', `export type { ${exported.join(', ')} } from '${from}';\n`);
    await consumer.compile(['names.ts'], { lib: ['es2023', 'dom'], types: [] });
  });
});

it('every function of the library has a description', async () => {
  for (const [file, text] of await readReached('index.d.ts')) {
    if (!file.startsWith('library/')) continue;
    const undescribed = text.match(
      /(?<!\*\/\n)^export (?:declare )?(?:function|class|interface|type) .*/gm,
    );
    expect(undescribed ?? [], file).toEqual([]);
  }
});
