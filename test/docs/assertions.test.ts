import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  type AssertionDefinition,
  assertionDefinitions,
} from '../../src/config/schemas/assertions-schema.js';

const guide = readFileSync(
  path.resolve(import.meta.dirname, '../../docs/assertions-guide.md'),
  'utf8',
);
const definitions = Object.entries<AssertionDefinition>(assertionDefinitions);

/** The names in backquotes, without values. */
function findNames(text = ''): string[] {
  return [...text.matchAll(/`(\w+)[^`]*`/g)].map(([, name = '']) => name);
}

it('the guide to assertions says of every assertion which question it answers', () => {
  const [, questions] = guide.split(/^## /m);
  const named = findNames(questions);
  expect(definitions.map(([name]) => name).filter((name) => !named.includes(name))).toEqual([]);
});

it('the guide to assertions says for which ones a blocked tool call counts', () => {
  const row = guide.split('\n').find((line) => line.startsWith('| was blocked '));
  const [, , counts, countsNot] = row?.split('|') ?? [];
  const onTools = definitions.filter(([, { items = 'tool' }]) => items === 'tool');
  const namesOf = (isRequiring: boolean) =>
    onTools.flatMap(([name, { requiresCalls = false }]) =>
      requiresCalls === isRequiring ? [name] : [],
    );
  // That the assertions do so is tested in src/assertions/registry.test.ts.
  expect(findNames(counts).sort()).toEqual(namesOf(false).sort());
  expect(findNames(countsNot).sort()).toEqual(namesOf(true).sort());
});
