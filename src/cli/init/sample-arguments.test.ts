import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSampleArguments } from './sample-arguments.js';

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

describe('sample arguments', () => {
  it.each([
    ['nothing, where nothing is required', object({ a: { type: 'string' } }, []), {}],
    ['texts', object({ a: { type: 'string' } }), { a: 'example' }],
    ['the default before anything else', object({ n: { type: 'number', default: 7 } }), { n: 7 }],
    ['the first choice', object({ s: { enum: ['b', 'a'] } }), { s: 'b' }],
    ['an example', object({ s: { type: 'string', examples: ['web'] } }), { s: 'web' }],
    ['a number in its bounds', object({ n: { type: 'integer', minimum: 5 } }), { n: 5 }],
    ['a number under its maximum', object({ n: { type: 'number', maximum: 0 } }), { n: 0 }],
    ['true', object({ b: { type: 'boolean' } }), { b: true }],
    [
      'what a format asks for',
      object({ d: { type: 'string', format: 'date' } }),
      { d: '2026-01-31' },
    ],
    ['lists', object({ l: { type: 'array', items: { type: 'integer' } } }), { l: [1] }],
    ['objects', object({ o: object({ a: { type: 'boolean' } }) }), { o: { a: true } }],
    ['one of several', object({ x: { anyOf: [{ type: 'null' }, {}] } }), { x: null }],
    ['a type that may be null', object({ x: { type: ['null', 'string'] } }), { x: 'example' }],
    ['long enough texts', object({ s: { type: 'string', minLength: 9 } }), { s: 'exampleee' }],
  ])('are %s', (_what, schema, expected) => {
    expect(makeSampleArguments(schema)).toEqual(expected);
  });

  it.each([
    ['what a pattern asks for', object({ s: { type: 'string', pattern: '^pod-' } })],
    ['a type that is not given', object({ s: {} })],
    ['a property that is not described', { type: 'object', required: ['a'] }],
    ['a property named like one of every object', { ...object({}), required: ['constructor'] }],
    ['no schema', undefined],
    ['no object', { type: 'string' }],
  ])('cannot be made up for %s', (_what, schema) => {
    expect(makeSampleArguments(schema)).toBeUndefined();
  });

  it('never hold what would be filled in', () => {
    const schema = object({ s: { type: 'string', default: '{random.id}', examples: ['${HOME}'] } });
    expect(makeSampleArguments(schema)).toEqual({ s: 'example' });
  });

  it('stop where a schema goes on without end', () => {
    const endless: Record<string, unknown> = { type: 'object', required: ['a'] };
    endless.properties = { a: endless };
    expect(makeSampleArguments(endless)).toBeUndefined();
  });

  it('are valid by the schema that they were made from', () => {
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.record({ type: fc.constant('string'), minLength: fc.nat(20) }),
        fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -9, max: 9 }) }),
        fc.record({ type: fc.constant('number'), exclusiveMinimum: fc.integer({ max: 99 }) }),
        fc.record({ enum: fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 3 }) }),
        fc.constant({ type: 'boolean' }),
        tie('schema').chain((items) =>
          fc.record({
            type: fc.constant('array'),
            items: fc.constant(items),
            minItems: fc.nat(3),
          }),
        ),
        fc
          .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('schema'), { maxKeys: 3 })
          .map((each) => object(each)),
      ),
    }));
    const ajv = new Ajv2020({ strict: false, allErrors: false });
    fc.assert(
      fc.property(schema, (each) => {
        const whole = object({ value: each });
        const sample = makeSampleArguments(whole);
        if (sample) expect(ajv.validate(whole, sample)).toBe(true);
      }),
    );
  });
});
