import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExpectedContent } from '../config/schemas/step-schemas.js';
import { Redactor } from '../config/secrets/redactor.js';
import { Secrets } from '../config/secrets/secrets.js';
import { equalsJson, findUnmetExpectations } from './expectations.js';
import { prepareExpectations } from './expected-content.js';
import { PlaceholderValues } from './placeholder-values.js';

const asItIs = (text: string) => text;

function unmet(expected: ExpectedContent, text: string, resolve = asItIs): string[] {
  const found = { name: 'body', text, json: text };
  return findUnmetExpectations(prepareExpectations(expected, resolve), found);
}

function unmetField(field: object, text: string): string[] {
  return unmet({ fields: [{ path: 'a', ...field }] }, text);
}

const json = '{"data":{"items":[{"id":"web-1","n":3}],"0":"zero","none":null},"yes":true}';

it.each([
  { match: 'web-\\d' },
  { match: '^\\{' },
  { fields: [{ path: 'data.items[0].id' }] },
  { fields: [{ path: 'data.items[0].id', equals: 'web-1', type: 'string', match: '^web' }] },
  { fields: [{ path: 'data.items[0].n', equals: 3, type: 'number', exists: true }] },
  { fields: [{ path: 'data.0', equals: 'zero' }] },
  { fields: [{ path: 'data.none', equals: null, type: 'null' }] },
  { fields: [{ path: 'data.none', exists: true }] },
  { fields: [{ path: 'data.gone', exists: false }] },
  {
    fields: [
      { path: 'yes', type: 'bool' },
      { path: 'yes', type: 'boolean', equals: true },
    ],
  },
  { fields: [{ path: 'data.items', type: 'array', equals: [{ n: 3, id: 'web-1' }] }] },
  { fields: [{ path: 'data', type: 'object' }] },
] satisfies ExpectedContent[])('is met: %j', (expected) => {
  expect(unmet(expected, json)).toEqual([]);
});

it('looks into a list', () => {
  expect(unmet({ fields: [{ path: '[0].text', equals: 'x' }] }, '[{"text":"x"}]')).toEqual([]);
});

it.each([
  [{}, '{}', ['a: expected that it is there, found no such field']],
  [{ exists: true }, '{}', ['a: expected that it is there, found no such field']],
  [{ exists: false }, '{"a":null}', ['a: expected that it is not there, found null']],
  [{ equals: null }, '{}', ['a: expected null, found no such field']],
  [{ equals: null }, '{"a":0}', ['a: expected null, found 0']],
  [{ equals: 'x' }, '{"a":"y"}', ['a: expected "x", found "y"']],
  [{ equals: '1' }, '{"a":1}', ['a: expected "1", found 1']],
  [{ equals: 1 }, '{"a":"1"}', ['a: expected 1, found "1"']],
  [{ equals: true }, '{"a":"true"}', ['a: expected true, found "true"']],
  [{ equals: [1, 2] }, '{"a":[2,1]}', ['a: expected [1,2], found [2,1]']],
  [{ equals: [1] }, '{"a":[1,2]}', ['a: expected [1], found [1,2]']],
  [{ equals: { b: 1 } }, '{"a":{"b":1,"c":2}}', ['a: expected {"b":1}, found {"b":1,"c":2}']],
  [{ equals: {} }, '{"a":[]}', ['a: expected {}, found []']],
  [{ equals: [] }, '{"a":{}}', ['a: expected [], found {}']],
  [{ type: 'string' }, '{"a":5}', ['a: expected the type string, found 5 (number)']],
  [{ type: 'null' }, '{}', ['a: expected the type null, found no such field']],
  [{ match: '^5$' }, '{"a":5}', ['a: expected a string with a match of "^5$", found 5 (number)']],
  [
    { match: 'x', type: 'number', equals: 'z' },
    '{"a":"y"}',
    [
      'a: expected "z", found "y"',
      'a: expected the type number, found "y" (string)',
      'a: expected a string with a match of "x", found "y" (string)',
    ],
  ],
  [{ exists: false, equals: 'x' }, '{}', ['a: expected "x", found no such field']],
  [{ exists: false, equals: 'x' }, '{"a":"x"}', ['a: expected that it is not there, found "x"']],
])('is not met: %j of %s', (field, text, sentences) => {
  expect(unmetField(field, text)).toEqual(sentences);
});

it('reports every expectation that is not met', () => {
  const fields = [{ path: 'a', equals: 1 }, { path: 'b' }, { path: 'c' }];
  expect(unmet({ match: 'x', fields }, '{"a":2,"b":1}')).toEqual([
    'body: expected a match of "x", found "{\\"a\\":2,\\"b\\":1}"',
    'a: expected 1, found 2',
    'c: expected that it is there, found no such field',
  ]);
});

it('says what there is in place of JSON', () => {
  const expectations = prepareExpectations({ fields: [{ path: 'a' }, { path: 'b' }] }, asItIs);
  const found = { name: 'body', json: undefined };
  expect(findUnmetExpectations(expectations, { ...found, text: '<p>', kind: 'text/html' })).toEqual(
    ['body: expected JSON, found "<p>" (text/html)'],
  );
  expect(findUnmetExpectations(expectations, { ...found, text: '' })).toEqual([
    'body: expected JSON, found nothing',
  ]);
});

it('shows the beginning of a long value, without a part of a word', () => {
  const words = 'some words and '.repeat(1000);
  for (const sentence of [
    ...unmet({ match: 'x' }, words),
    ...unmetField({ equals: 1 }, JSON.stringify({ a: words })),
  ]) {
    expect(sentence.length).toBeLessThan(300);
    expect(sentence).toMatch(/(some|words|and) …"? \(1500\d characters\)$/);
  }
});

it.each([
  [9007199254740991, '9007199254740991', true],
  [9007199254740991, '9007199254740991.4', false],
  [9007199254740990, '9007199254740990.0', true],
  [1200, '1.2e3', true],
  [1200, '12E+2', true],
  [-0, '0', true],
  [0, '1e-400', false],
  [0, '-0.0', true],
  [1, '1.0000000000000000001', false],
  [0.1, '0.1', true],
  [0.1, '0.10', true],
  [Math.PI, '3.141592653589793', true],
  [1, 'true', false],
  [100, '1', false],
])('compares %d with %s exactly', (expected, found, isEqual) => {
  expect(equalsJson(expected, found)).toBe(isEqual);
});

it('takes no number that is another one by now', () => {
  // As the file said 9007199254740993.
  for (const equals of [Number('9007199254740993'), [{ id: 1e300 }], Number.NaN, -Infinity]) {
    expect(() => unmetField({ equals }, '{"a":9007199254740992}')).toThrow(
      'cannot be compared exactly',
    );
  }
});

it('takes the last of two keys that are the same', () => {
  expect(equalsJson({ a: 2 }, '{"a":1,"a":2}')).toBe(true);
  expect(equalsJson({ a: 1 }, '{"a":1,"a":2}')).toBe(false);
});

it('finds nothing that every object has', () => {
  expect(unmet({ fields: [{ path: 'constructor' }] }, '{}')).toHaveLength(1);
  expect(equalsJson({ constructor: 1 }, '{"a":1}')).toBe(false);
});

it('compares values that are nested deeper than recursion can go', () => {
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  const text = `{"a":${deep}}`;
  expect(unmetField({ type: 'array' }, text)).toEqual([]);
  expect(unmetField({ equals: [[]] }, text)).toHaveLength(1);
  expect(unmetField({ equals: 'x' }, text)[0]?.length).toBeLessThan(300);
});

it('is equal to what it is, in any order of keys, and to nothing else', () => {
  const value = fc.jsonValue({ maxDepth: 4 }).map(withoutLargeNumbers);
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(equalsJson(one, JSON.stringify(reversed(one), null, 1))).toBe(true);
      const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      expect(equalsJson(one, JSON.stringify(other))).toBe(isSame);
    }),
  );
});

function known(output: string) {
  const random = { id: 'ab12', port: 4711 };
  const values = new PlaceholderValues({ taskName: 'task', random, environment: {} });
  values.agentAnswered(output);
  return (text: string, quote?: (value: string) => string) => values.resolve(text, quote);
}

it.each(['.*', 'x|web', '[^q]', '\\w+'])(
  'takes what an agent answers for no pattern: %s',
  (answer) => {
    const resolve = known(answer);
    expect(unmet({ match: '^{agent.output}$' }, 'web', resolve)).toHaveLength(1);
    expect(unmet({ match: '^{agent.output}$' }, answer, resolve)).toEqual([]);
    const fields = [{ path: 'a', match: '{agent.output}' }];
    expect(unmet({ fields }, '{"a":"web"}', resolve)).toHaveLength(1);
  },
);

it('does not pass because an agent answers nothing', () => {
  expect(() => unmet({ match: '{agent.output}' }, 'web', known(''))).toThrow(
    'the pattern "{agent.output}" is empty',
  );
});

it('says that a pattern has become too long', () => {
  expect(() => unmet({ match: '{agent.output}' }, 'web', known('x'.repeat(2000)))).toThrow(
    'the pattern "{agent.output}" cannot be used: longer than 1000 characters',
  );
});

it('reports a pattern with its values unquoted, so that a secret in it is recognised', () => {
  expect(unmet({ match: '^{agent.output}$' }, 'x', known('my-secret+1'))).toEqual([
    'body: expected a match of "^my-secret+1$", found "x"',
  ]);
});

it.each(['correct-horse-battery-staple', 'four words of "mine"'])(
  'leaves no part of a secret where a value is cut: %s',
  (secret) => {
    const secrets = new Secrets();
    secrets.add('PASSWORD', secret);
    const text = `${'x'.repeat(185)}${secret}${'y'.repeat(100)}`;
    const [body = ''] = unmet({ match: 'z' }, text);
    const [field = ''] = unmetField({ equals: 1 }, JSON.stringify({ a: `x ${text}` }));
    expect(body).toContain(secret.slice(0, 4));
    for (const sentence of [body, field]) {
      expect(new Redactor(secrets).text(sentence)).not.toContain(secret.slice(0, 4));
    }
  },
);

it('replaces placeholders in what a value must equal, however deep', () => {
  const fields = [{ path: 'a', equals: [{ b: 'is {agent.output}' }] }];
  expect(unmet({ fields }, '{"a":[{"b":"is web"}]}', known('web'))).toEqual([]);
});

it('takes what an agent answers for one key, whatever is in it', () => {
  const fields = [{ path: 'a.{agent.output}', equals: 1 }];
  expect(unmet({ fields }, '{"a":{"x.y[0]":1,"x":{"y":[2]}}}', known('x.y[0]'))).toEqual([]);
  expect(unmet({ fields }, '{"a":{"x":{"y":[1]}}}', known('x.y[0]'))).toHaveLength(1);
});

it('takes a number for an index', () => {
  const fields = [{ path: 'a[{agent.output}].b', equals: 1 }];
  expect(unmet({ fields }, '{"a":[{"b":0},{"b":1}]}', known('1'))).toEqual([]);
  expect(() => unmet({ fields }, '{}', known('x'))).toThrow(
    '"a[{agent.output}].b" does not become a path into JSON',
  );
});

function withoutLargeNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) =>
    typeof item === 'number' && Number.isInteger(item) && !Number.isSafeInteger(item) ? 1 : item,
  );
}

function reversed(value: unknown): unknown {
  return reordered(value, (keys) => keys.reverse());
}

function sorted(value: unknown): unknown {
  return reordered(value, (keys) => keys.sort());
}

function reordered(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const map = new Map(Object.entries(value));
  const keys = order([...map.keys()]);
  return Object.fromEntries(keys.map((key) => [key, reordered(map.get(key), order)]));
}
