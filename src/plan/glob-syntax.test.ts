import { describe, expect, it } from 'vitest';
import { globFault } from './glob-syntax.js';

describe('globFault', () => {
  it.each([
    'tasks/**/*.yaml',
    '[a-z]*',
    '{a,b}/{c,{d,e}}',
    '[]a]',
    '[!]]',
    '\\[x',
    '\\{',
    'a}',
    'a]',
  ])('accepts %s', (glob) => {
    expect(globFault(glob)).toBeUndefined();
  });

  it.each([
    ['tasks/[ab', 6],
    ['{a,b', 0],
    ['{a,{b}', 0],
    ['x[]', 1],
    ['a\0b', 1],
  ])('refuses %j', (glob, offset) => {
    expect(globFault(glob)?.offset).toBe(offset);
  });
});
