import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeName, formatHash, parseHash } from './hash.js';

describe('parseHash', () => {
  it.each([
    ['', 'overview'],
    ['#', 'overview'],
    ['#/', 'overview'],
    ['#/?q=pod', 'overview'],
    ['#/tools', 'tools'],
    ['#/compare?x=1', 'compare'],
    ['#/run/0/create-pod/1', 'run'],
    ['#/run/0', 'unknown'],
    ['#/nothing', 'unknown'],
    ['#/%', 'unknown'],
  ])('parses the address %j as the page %s', (hash, page) => {
    expect(parseHash(hash).page).toBe(page);
  });

  it('parses the address of a task run whose name has slashes and question marks', () => {
    const hash = formatHash(`run/0/${encodeName('a/b?c#d')}/2`, new URLSearchParams({ call: '3' }));
    const route = parseHash(hash);
    expect(route).toMatchObject({ page: 'run', parts: ['0', 'a/b?c#d', '2'] });
    expect(route.query.get('call')).toBe('3');
  });

  it('any name survives encoding and parsing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(parseHash(`#/run/0/${encodeName(name)}/1`).parts[1]).toBe(name);
      }),
    );
  });
});

describe('encodeName', () => {
  it('encodes half a surrogate pair without an error', () => {
    expect(encodeName('a\ud800b')).toBe(encodeName('a\ufffdb'));
  });
});
