import { expect, test } from 'vitest';
import { ArgumentChecks } from './arguments.js';

const checks = await ArgumentChecks.load();

test('says what is wrong with arguments in plain words, with the place', () => {
  const flawsOf = checks.for({
    type: 'object',
    properties: {
      metadata: {
        type: 'object',
        properties: { name: { type: 'string' }, 'a/b~c': { type: 'string' } },
        additionalProperties: false,
      },
      ports: { type: 'array', items: { type: 'integer', minimum: 1 } },
      mode: { enum: ['fast', 'slow'] },
      kind: { const: 'Pod' },
    },
    required: ['metadata', 'namespace'],
  });
  expect(
    flawsOf({
      metadata: { name: 5, 'a/b~c': 1, nmae: 'x' },
      ports: [80, 0],
      mode: 'medium',
      kind: 'Job',
    }),
  ).toEqual([
    'namespace: is missing',
    'metadata.nmae: is not a known argument',
    'metadata.name: must be string',
    'metadata.a/b~c: must be string',
    'ports[1]: must be >= 1',
    'mode: must be one of "fast","slow"',
    'kind: must be "Pod"',
  ]);
  expect(flawsOf({ metadata: { name: 'x' }, namespace: 'y', mode: 'fast', kind: 'Pod' })).toEqual(
    [],
  );
});

test('says of arguments as a whole what is wrong with them', () => {
  expect(checks.for({ type: 'object' })([])).toEqual(['must be object']);
  expect(checks.for(false)({})).toEqual(['boolean schema is false']);
  expect(checks.for(true)({})).toEqual([]);
});

test('names a bounded number of flaws', () => {
  const args = Array.from({ length: 50 }, () => 1);
  const flaws = checks.for({ items: { type: 'string' } })(args);
  expect(flaws).toHaveLength(21);
  expect(flaws.at(-1)).toBe('and 30 more');
});

test.each([
  ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
  ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
  ['http://json-schema.org/draft-06/schema#', { items: [{ type: 'string' }] }],
])('understands the dialect %s', ($schema, rules) => {
  const flawsOf = checks.for({ $schema, properties: { names: rules } });
  expect(flawsOf({ names: [1] })).toEqual(['names[0]: must be string']);
  expect(flawsOf({ names: ['x'] })).toEqual([]);
});

test('ignores formats', () => {
  expect(checks.for({ properties: { at: { format: 'date-time' } } })({ at: 'soon' })).toEqual([]);
});

test('does not mix up schemas with the same $id, nor their patterns', () => {
  const $id = 'https://example.com/arguments';
  const name = (pattern: string) => ({ properties: { name: { type: 'string', pattern } } });
  const lower = checks.for({ $id, ...name('^[a-z]+$') });
  const digits = checks.for({ $id, ...name('^[0-9]+$') });
  const both = checks.for({ allOf: [name('a'), name('b')] });
  expect(lower({ name: 'abc' })).toEqual([]);
  expect(digits({ name: 'abc' })).toEqual(['name: must match pattern "^[0-9]+$"']);
  expect(both({ name: 'a' })).toEqual(['name: must match pattern "b"']);
});

const unusable = 'the schema of its arguments cannot be used';

test.each([
  [
    'a dialect that is not known',
    { $schema: 'http://json-schema.org/draft-04/schema#' },
    'its $schema is "http://json-schema.org/draft-04/schema#"',
  ],
  ['a $schema that is no text', { $schema: 5 }, 'its $schema is 5'],
  ['a reference to nothing', { $ref: '#/$defs/none' }, "can't resolve reference"],
  ['a reference elsewhere', { $ref: 'https://example.com/schema' }, "can't resolve reference"],
  ['what is no schema', 'text', 'it is not a JSON Schema'],
  ['a keyword of the wrong type', { type: 7 }, 'schema is invalid'],
  ['a pattern that looks ahead', { properties: { a: { pattern: '(?=x)' } } }, 'is not RE2'],
  ['one that is too long', { description: 'x'.repeat(300_000) }, 'it is longer than 256 KiB'],
  ['one that is asynchronous', { $async: true, type: 'object' }, 'it is asynchronous'],
  ['one that is nested too deep', nested(30_000), 'nested too deep'],
  ['one that refers to itself for ever', { $ref: '#' }, ''],
])('lets nothing pass by %s, and says why', (_, schema, reason) => {
  const flaws = checks.for(schema)({ a: 'x' });
  expect(flaws).toEqual([expect.stringContaining(`${unusable}: `)]);
  expect(flaws[0]).toContain(reason);
});

test('takes linear time for a pattern that would take for ever', () => {
  const flawsOf = checks.for({ properties: { name: { pattern: '^(a+)+$' } } });
  expect(flawsOf({ name: `${'a'.repeat(50_000)}!` })).toHaveLength(1);
});

function nested(depth: number): unknown {
  return JSON.parse(`${'{"not":'.repeat(depth)}{}${'}'.repeat(depth)}`);
}
