import { describe, expect, it } from 'vitest';
import { findUnknownArguments } from './unknown-arguments.js';

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
