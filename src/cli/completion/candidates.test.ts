import { describe, expect, it } from 'vitest';
import { schemaKinds } from '../../results/schema/json-schemas.js';
import { commands } from '../command-table.js';
import { findCandidates } from './candidates.js';

const valuesFor = (...words: string[]) => findCandidates(words).values.map(({ value }) => value);

describe('what could come next', () => {
  it.each([
    ['commands', [''], ['check', 'view', 'result', 'help']],
    ['commands that begin so', ['va'], ['validate']],
    ['commands of a group', ['result', 'm'], ['merge']],
    ['a command to get help for', ['help', 'sch'], ['schema']],
    ['options', ['check', 'e.yaml', '--ba'], ['--bail']],
    ['options of a command of a group', ['result', 'merge', '--f'], ['--force']],
    ['choices of an option', ['summary', '-o', ''], ['text', 'json', 'markdown']],
    ['choices behind the sign', ['summary', '--output=m'], ['--output=markdown']],
    ['values that are suggested', ['check', '--agent', 'cl'], ['claude-code']],
    ['values of an argument', ['result', 'convert', 'j'], ['junit']],
    ['what stands for itself', ['--v'], ['--version']],
  ])('is %s', (_what, words, expected) => {
    const values = valuesFor(...words);
    for (const each of expected) expect(values).toContain(each);
    for (const each of values) expect(each.startsWith(words.at(-1) ?? '')).toBe(true);
  });

  it.each([
    ['check', ''],
    ['check', 'e.yaml', ''],
    ['check', 'e.yaml', '--out', ''],
    ['check', '--mcp-config-file=x', '--out=a'],
    ['result', 'convert', 'junit', 'a.json', ''],
    ['diff', '--base', 'a.json', 'b'],
    ['diff', '--base', 'a.json', '--current', ''],
    ['summary', 'a.json', ''],
    ['check', '--agent', ''],
  ])('can be a file: %j', (...words) => {
    expect(findCandidates(words).isFile).toBe(true);
  });

  it.each([
    [''],
    ['result', ''],
    ['check', '--model', ''],
    ['list', 'e.yaml', ''],
    ['queue', ''],
    ['worker', ''],
    ['bridge', ''],
    ['schema', ''],
    ['nope', ''],
    ['result', 'nope', ''],
    ['help', 'check', ''],
    ['check', '--nope=x'],
  ])('is no file: %j', (...words) => {
    expect(findCandidates(words).isFile).toBe(false);
  });

  it('leaves out an option that was given, unless it can be given again', () => {
    expect(valuesFor('check', '--strict', '--str')).toEqual([]);
    expect(valuesFor('check', '--reporter', 'text', '--rep')).toEqual(['--reporter']);
    expect(valuesFor('summary', '-o', 'json', '--out')).toEqual([]);
  });

  it('describes what it offers', () => {
    expect(findCandidates(['val']).values).toEqual([
      { value: 'validate', description: 'find mistakes in evals without running them' },
    ]);
  });
});

describe('values that the table suggests', () => {
  it('are those that there are', () => {
    const schema = commands.find(({ name }) => name === 'schema');
    expect(schema?.arguments[0]?.suggestions).toEqual(schemaKinds);
  });
});
