import { describe, expect, it } from 'vitest';
import { expandVariables } from './environment-variables.js';

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
    ['${TOKEN x}', '${TOKEN x}'],
    ['${1}${TOKEN}', '${1}secret'],
    ['${MISSING:-{"a": 1}}', '{"a": 1}'],
    ['${MISSING:-a:-b}', 'a:-b'],
    ['$${TOKEN}', '$secret'],
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

  it('takes linear time for references that are never closed', () => {
    const text = '${A:-'.repeat(100_000);
    expect(expandVariables(text, {}).value).toBe(text);
    expect(expandVariables(`${'${1'.repeat(100_000)}}`, {}).unset).toEqual([]);
  });

  it('does not take a reference in a default', () => {
    const { unset } = expandVariables('${A:-${B}}', { A: 'x', B: 'y' });
    expect(unset).toMatchObject([{ name: 'A', isNested: true }]);
  });

  it('names what is not set, with its place', () => {
    expect(expandVariables({ a: ['x ${MISSING}'] }, environment).unset).toEqual([
      { name: 'MISSING', isNested: false, path: ['a', 0], offset: 2, length: 10 },
    ]);
  });

  const values = { workdir: '/folder', random: { id: 'ab12', port: 4711 } };

  it('leaves values of a task run as they are until they are known', () => {
    const text = '${PROCTOR_WORKDIR}/${TOKEN}-{random.id}:{random.port} {random.uuid} {env.TOKEN}';
    const read = expandVariables(text, { ...environment, PROCTOR_WORKDIR: '/of/somebody' });
    expect(read).toEqual({
      value: '${PROCTOR_WORKDIR}/secret-{random.id}:{random.port} {random.uuid} {env.TOKEN}',
      unset: [],
    });
    expect(expandVariables(text, environment, values).value).toBe(
      '/folder/secret-ab12:4711 {random.uuid} {env.TOKEN}',
    );
  });

  it('does not take values of a task run out of variables', () => {
    const odd = { A: '{random.id}', B: '${PROCTOR_WORKDIR}' };
    expect(expandVariables('${A} ${B} {random.id}', odd, values).value).toBe(
      '{random.id} ${PROCTOR_WORKDIR} ab12',
    );
  });
});
