import { describe, expect, it } from 'vitest';
import { Problems } from '../../config/problems/problem.js';
import { SourceFile } from '../../config/yaml/source-file.js';
import type { Suite } from '../suite.js';
import { checkOperations, findUnknownArguments } from './check-offers.js';

/** A suite with one task that has one step. */
function suiteOf(type: string, args: unknown): Suite {
  const text = JSON.stringify({ spec: { verify: [{ [type]: args }] } });
  const source = new SourceFile('/suite/task.yaml', 'task.yaml', text);
  const path = ['spec', 'verify', 0, type];
  const requires = [{ kind: 'extension' as const, target: 'database', alias: 'db', path: [] }];
  const steps = [{ phase: 'verify' as const, type, data: args, path }];
  const task = { source, requires, steps };
  // Nothing else of a suite is looked at.
  return { tasks: [{ definition: task }] } as unknown as Suite;
}

const asked: unknown[] = [];

function check(type: string, args: unknown, isReady = true) {
  const problems = new Problems();
  const flawsOf = (...question: unknown[]) => {
    asked.push(question);
    return ['args.table must be string', 'args.x is unknown'];
  };
  const operationsOf = () => (isReady ? ['insert', 'query'] : undefined);
  checkOperations(suiteOf(type, args), flawsOf, operationsOf, problems);
  return problems.report().problems.map(({ code, column, message, hint }) => ({
    code,
    column,
    message,
    ...(hint !== undefined && { hint }),
  }));
}

it('reports a step whose operation the extension does not have', () => {
  expect(check('db.qeury', {})).toEqual([
    {
      code: 'not-offered',
      column: 21,
      message: 'the extension database has no operation qeury',
      hint: 'did you mean query?',
    },
  ]);
  expect(check('db.drop', { table: '{env.X}' })).toMatchObject([{ hint: 'it has insert, query' }]);
});

it('reports each flaw of the arguments of an operation', () => {
  expect(check('db.query', { table: 5 })).toEqual([
    { code: 'invalid-arguments', column: 21, message: 'args.table must be string' },
    { code: 'invalid-arguments', column: 21, message: 'args.x is unknown' },
  ]);
  expect(asked.at(-1)).toEqual(['database', 'query', { table: 5 }]);
});

it('checks a step without arguments as one with an empty map', () => {
  check('db.query', null);
  expect(asked.at(-1)).toEqual(['database', 'query', {}]);
});

it('does not check arguments with placeholders, which are known only in the run', () => {
  expect(check('db.query', { rows: [{ id: 'x-{steps.a.id}' }] })).toEqual([]);
  expect(check('db.query', { text: 'other {braces}' })).toHaveLength(2);
});

it('reports nothing for an extension that is not ready, nor for other steps', () => {
  expect(check('db.drop', {}, false)).toEqual([]);
  expect(check('kubernetes.pods_list', {})).toEqual([]);
  expect(check('script', { inline: 'true' })).toEqual([]);
});

const names = (args: unknown, schema: unknown) =>
  findUnknownArguments(args, schema).map(
    ({ path, isForbidden }) => `${path.join('.')}${isForbidden ? ' forbidden' : ''}`,
  );

const text = { type: 'string' };

describe('findUnknownArguments', () => {
  it('finds a name that the schema does not list, and says what it lists', () => {
    const schema = { type: 'object', properties: { text, times: { type: 'integer' } } };
    expect(findUnknownArguments({ txet: 'hi', times: 2 }, schema)).toEqual([
      {
        path: ['txet'],
        name: 'txet',
        known: ['text', 'times'],
        isForbidden: false,
        isMisspelt: true,
      },
    ]);
  });

  it('takes a name for misspelt only if it is near one that is not used beside it', () => {
    const schema = { properties: { text, times: text, id: text, query: text, x: text } };
    const misspelt = (args: object) =>
      findUnknownArguments(args, schema).flatMap(({ name, isMisspelt }) =>
        isMisspelt ? [name] : [],
      );
    expect(misspelt({ txet: 'hi', tmies: 1 })).toEqual(['txet', 'tmies']);
    expect(misspelt({ text: 'hi', txet: 'hi', language: 'en' })).toEqual([]);
    expect(misspelt({ tex: 'hi', Query: 'q' })).toEqual(['tex', 'Query']);
    // So short that it may be anything, and the plural and the singular of a name.
    expect(misspelt({ y: 1, ids: [], ix: 1 })).toEqual([]);
    expect(misspelt({ texts: [], queries: [], time: 1 })).toEqual([]);
  });

  it('knows that a closed schema forbids other names', () => {
    const schema = { properties: { text }, additionalProperties: false };
    expect(names({ tex: 'hi' }, schema)).toEqual(['tex forbidden']);
    expect(names({ tex: 'hi' }, { ...schema, properties: {} })).toEqual(['tex forbidden']);
  });

  it('looks into maps, lists, references and alternatives', () => {
    const point = { type: 'object', properties: { x: {}, y: {} }, additionalProperties: false };
    const schema = {
      $defs: { point },
      properties: {
        at: { $ref: '#/$defs/point' },
        path: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/point' } }, { type: 'null' }] },
      },
    };
    expect(names({ at: { x: 1, z: 2 }, path: [{ y: 1 }, { w: 1 }] }, schema)).toEqual([
      'at.z',
      'path.1.w',
    ]);
  });

  it.each([
    ['lists no names', { type: 'object' }],
    ['takes any other name', { properties: { text }, additionalProperties: true }],
    ['takes other names of a type', { properties: { text }, additionalProperties: text }],
    ['takes names by a pattern', { properties: { text }, patternProperties: { '^x-': text } }],
    [
      'depends on values',
      { properties: { text }, dependentSchemas: { text: { properties: { tex: text } } } },
    ],
    ['refers to another file', { properties: { text }, allOf: [{ $ref: 'other.json' }] }],
    [
      'lists it in an alternative',
      { properties: { text }, oneOf: [{ properties: { tex: text } }] },
    ],
    ['is none', 'anything'],
  ])('reports nothing where the schema %s', (_what, schema) => {
    expect(names({ tex: 'hi' }, schema)).toEqual([]);
  });
});
