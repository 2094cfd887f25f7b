import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameTools } from './server-tools.js';

const tool = (server: string, name: string) => ({ server, name });

it.each([
  ['keeps names that are valid and single', [tool('a', 'x'), tool('b', 'y')], ['x', 'y']],
  ['adds the server otherwise', [tool('a', 'x'), tool('b', 'x')], ['a__x', 'b__x']],
  ['takes out what no API allows', [tool('a b', 'x.y/z')], ['a_b__x_y_z']],
  [
    'leaves a name to whose it is',
    [tool('a', 'x'), tool('b', 'x'), tool('c', 'a__x')],
    ['a__x_2', 'b__x', 'a__x'],
  ],
  ['cuts what is too long', [tool('a', 'x'.repeat(70))], [`a__${'x'.repeat(61)}`]],
])('%s', (_, tools, names) => {
  expect(nameTools(tools)).toEqual(names);
});

it('gives every tool a valid name that no other has', () => {
  const text = fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom('a', 'a__a', 'a_2', 'a.a'));
  const tools = fc.array(fc.record({ server: text, name: text }), { maxLength: 30 });
  fc.assert(
    fc.property(tools, (all) => {
      const names = nameTools(all);
      expect(new Set(names).size).toBe(all.length);
      for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }),
  );
});
