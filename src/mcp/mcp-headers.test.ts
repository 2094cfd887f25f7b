import { describe, expect, it } from 'vitest';
import { findHeaderFault } from './mcp-headers.js';

const marked = (type: unknown, header: unknown) => ({ type, 'x-mcp-header': header });

describe('headerFaultOf', () => {
  it.each([
    ['no schema', undefined],
    ['no headers', { type: 'object', properties: { a: { type: 'number' } } }],
    ['each type', { properties: { a: marked('string', 'A'), b: marked('integer', 'B') } }],
    [
      'a property of a property',
      { properties: { a: { properties: { b: marked('boolean', 'B') } } } },
    ],
    ['a property of that name', { properties: { 'x-mcp-header': { type: 'number' } } }],
    ['an example of one', { properties: { a: { default: marked('number', ' ') } } }],
  ])('finds none with %s', (_what, schema) => {
    expect(findHeaderFault(schema)).toBeUndefined();
  });

  it.each([
    ['', 'x-mcp-header "" cannot be part of the name of a header'],
    ['a b', 'x-mcp-header "a b" cannot be part of the name of a header'],
    ['a:b', 'x-mcp-header "a:b" cannot be part of the name of a header'],
    ['\u00e9', 'x-mcp-header "\u00e9" cannot be part of the name of a header'],
    [7, 'x-mcp-header 7 cannot be part of the name of a header'],
  ])('finds the name %j', (header, fault) => {
    expect(findHeaderFault({ properties: { a: marked('string', header) } })).toBe(fault);
  });

  it.each(['number', 'object', 'array', 'null', undefined, ['string', 'null']])(
    'finds the type %j',
    (type) => {
      expect(findHeaderFault({ properties: { a: marked(type, 'A') } })).toBe(
        'x-mcp-header A is not of type string, integer or boolean',
      );
    },
  );

  it('finds a name that is there twice, in whatever case', () => {
    const properties = { a: marked('string', 'Region'), b: marked('string', 'region') };
    expect(findHeaderFault({ properties })).toBe('x-mcp-header region is there twice');
  });

  it.each([
    marked('object', 'A'),
    { properties: { a: { items: marked('string', 'A') } } },
    { anyOf: [{ properties: { a: marked('string', 'A') } }] },
    { $defs: { a: marked('string', 'A') } },
    { properties: { a: { additionalProperties: { properties: { b: marked('string', 'A') } } } } },
  ])('finds one that is no property: %j', (schema) => {
    expect(findHeaderFault(schema)).toBe(
      'x-mcp-header stands where it is not a property of the arguments',
    );
  });
});
