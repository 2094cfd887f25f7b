import { describe, expect, it } from 'vitest';
import { ParameterCoverage } from './parameter-coverage.js';

function coverageOf(schema: Record<string, unknown>, ...calls: unknown[]) {
  const coverage = new ParameterCoverage();
  coverage.addSchema(schema);
  for (const args of calls) coverage.addCall(args);
  return coverage.parameters;
}

describe('parameters', () => {
  it('are counted by the calls that give them', () => {
    const properties = { pet: { type: 'string' }, food: { type: 'string' } };
    const schema = { type: 'object', properties, required: ['pet'] };
    expect(coverageOf(schema, { pet: 'cat' }, { pet: 'dog', other: 1 }, {})).toEqual([
      { name: 'pet', required: true, calls: 2, values: null },
      { name: 'food', required: false, calls: 0, values: null },
    ]);
  });

  it('have values that were given or not', () => {
    const properties = {
      food: { enum: ['hay', 'fish', null] },
      hungry: { type: 'boolean' },
      size: { anyOf: [{ const: 1 }, { const: 2 }, { type: 'null' }] },
    };
    const used = coverageOf({ properties }, { food: 'hay', hungry: false, size: 2 });
    expect(used.map(({ values }) => values)).toEqual([
      [
        { value: 'hay', calls: 1 },
        { value: 'fish', calls: 0 },
      ],
      [
        { value: 'true', calls: 0 },
        { value: 'false', calls: 1 },
      ],
      [
        { value: '1', calls: 0 },
        { value: '2', calls: 1 },
      ],
    ]);
  });

  it('within others are named by the way to them', () => {
    const item = { type: 'object', properties: { kind: { enum: ['a', 'b'] } } };
    const filter = { type: 'object', properties: { list: { type: 'array', items: item } } };
    const tags = { type: 'array', items: { enum: ['x'] } };
    const used = coverageOf(
      { properties: { filter, tags } },
      { filter: { list: [{ kind: 'a' }, { kind: 'a' }, {}] } },
    );
    expect(used).toEqual([
      { name: 'filter', required: false, calls: 1, values: null },
      { name: 'filter.list', required: false, calls: 1, values: null },
      {
        name: 'filter.list[].kind',
        required: false,
        calls: 1,
        values: [
          { value: 'a', calls: 2 },
          { value: 'b', calls: 0 },
        ],
      },
      { name: 'tags', required: false, calls: 0, values: null },
      { name: 'tags[]', required: false, calls: 0, values: [{ value: 'x', calls: 0 }] },
    ]);
  });

  it('behind a reference are found, also if it leads to itself', () => {
    const node = { properties: { next: { $ref: '#/$defs/node' }, name: {} } };
    const schema = { $defs: { node }, properties: { node: { $ref: '#/$defs/node' } } };
    const names = coverageOf(schema).map(({ name }) => name);
    expect(names).toContain('node.next.name');
    expect(names).not.toContain('node.next.next.next.name');
    expect(coverageOf({ $ref: '#' })).toEqual([]);
  });

  it('behind references that lead everywhere are found in the end', () => {
    const properties = { left: { $ref: '#/$defs/tree' }, right: { $ref: '#/$defs/tree' } };
    const tree = { anyOf: Array.from({ length: 49 }, () => ({ properties })) };
    const names = coverageOf({ $defs: { tree }, $ref: '#/$defs/tree' }).map(({ name }) => name);
    expect(names).toHaveLength(2 + 4 + 8 + 16);
  });

  it('are found beside a reference that leads nowhere', () => {
    const size = { oneOf: [{ anyOf: [{ const: 1 }] }] };
    const schema = { properties: { size: { anyOf: [{ $ref: 'elsewhere.json' }, size] } } };
    expect(coverageOf(schema)).toMatchObject([{ values: [{ value: '1', calls: 0 }] }]);
  });

  it('may have names that objects have of themselves', () => {
    const properties = JSON.parse('{"__proto__": {}, "constructor": {}}');
    expect(coverageOf({ properties }, {}).map(({ calls }) => calls)).toEqual([0, 0]);
    const args = JSON.parse('{"__proto__": 1}');
    expect(coverageOf({ properties }, args).map(({ calls }) => calls)).toEqual([1, 0]);
  });

  it('are not without end', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, {}]));
    expect(coverageOf({ properties: many })).toHaveLength(300);
    const deep = JSON.parse(`${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`);
    expect(coverageOf({ properties: { a: {} } }, deep)).toMatchObject([{ calls: 1 }]);
  });
});
