import { describe, expect, it } from 'vitest';
import { expandVariables } from './environment-expansion.js';

const environment = { TOKEN: 'secret', EMPTY: '' };

describe('expandVariables', () => {
  it.each([
    ['${TOKEN}', 'secret'],
    ['Bearer ${TOKEN}!', 'Bearer secret!'],
    ['${TOKEN}${TOKEN}', 'secretsecret'],
    ['${MISSING:-fallback}', 'fallback'],
    ['${MISSING:-}', ''],
    ['${EMPTY}', ''],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${TOKEN:-fallback}', 'secret'],
    ['$TOKEN', '$TOKEN'],
    ['${}', '${}'],
    ['${1X}', '${1X}'],
    ['${TOKEN', '${TOKEN'],
  ])('makes of %j %j', (text, expanded) => {
    expect(expandVariables(text, environment)).toEqual({ value: expanded, unset: [] });
  });

  it('reaches every string, and changes nothing else', () => {
    const value = { a: ['${TOKEN}', 1, null, { b: '${TOKEN}' }], '${TOKEN}': true };
    expect(expandVariables(value, environment).value).toEqual({
      a: ['secret', 1, null, { b: 'secret' }],
      '${TOKEN}': true,
    });
    expect(value.a[0]).toBe('${TOKEN}');
  });

  it('does not expand what an expansion brought in', () => {
    expect(expandVariables('${A}', { A: '${B}', B: 'x' }).value).toBe('${B}');
  });

  it('names what is not set, with its place', () => {
    expect(expandVariables({ a: ['x ${MISSING}'] }, environment).unset).toEqual([
      { name: 'MISSING', path: ['a', 0], offset: 2, length: 10 },
    ]);
  });
});
