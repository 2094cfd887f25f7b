import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import {
  type AssertionDefinition,
  assertionDefinitions,
  findAssertion,
} from '../../src/config/schemas/assertions-schema.js';

const readPage = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../../docs', name), 'utf8');
const definitions = Object.entries<AssertionDefinition>(assertionDefinitions);

/** The names in backquotes, without values. */
function findNames(text = ''): string[] {
  return [...text.matchAll(/`(\w+)[^`]*`/g)].map(([, name = '']) => name);
}

it('the guide to assertions says of every assertion which question it answers', () => {
  const [, questions] = readPage('assertions-guide.md').split(/^## /m);
  const named = findNames(questions);
  expect(definitions.map(([name]) => name).filter((name) => !named.includes(name))).toEqual([]);
});

it('the reference says for which assertions a blocked tool call counts', () => {
  const [, section = ''] = readPage('reference/assertions.md').split('\n## Blocked calls\n');
  const [, counts, countsNot] =
    /It counts for (.*): the agent.*\n.*not count for (.*): nothing/.exec(section) ?? [];
  const onTools = definitions.filter(([, { items }]) => !items || items.kind === 'tool');
  const namesOf = (isRequiring: boolean) =>
    onTools.flatMap(([name, { requiresCalls = false }]) =>
      requiresCalls === isRequiring ? [name] : [],
    );
  // That the assertions do so is tested in src/assertions/registry.test.ts.
  expect(findNames(counts).sort()).toEqual(namesOf(false).sort());
  expect(findNames(countsNot).sort()).toEqual(namesOf(true).sort());
});

it('the guide to assertions names examples of what a blocked call counts for, and does not', () => {
  const row = readPage('assertions-guide.md')
    .split('\n')
    .find((line) => line.startsWith('| was blocked '));
  const [, , counts, countsNot] = row?.split('|') ?? [];
  const areRequiring = (text?: string) =>
    findNames(text).map((name) => findAssertion(name)?.requiresCalls ?? false);
  expect(areRequiring(counts)).toEqual([false]);
  expect(areRequiring(countsNot)).toEqual([true]);
});
