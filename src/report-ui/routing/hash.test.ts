import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encoded, formatHash, parseHash } from './hash.js';

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
  ])('takes %j for the page %s', (hash, page) => {
    expect(parseHash(hash).page).toBe(page);
  });

  it('takes apart the address of a task run whose name has slashes and question marks', () => {
    const hash = formatHash(`run/0/${encoded('a/b?c#d')}/2`, new URLSearchParams({ call: '3' }));
    const route = parseHash(hash);
    expect(route).toMatchObject({ page: 'run', parts: ['0', 'a/b?c#d', '2'] });
    expect(route.query.get('call')).toBe('3');
  });

  it('gives back every name that is text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(parseHash(`#/run/0/${encoded(name)}/1`).parts[1]).toBe(name);
      }),
    );
  });
});

describe('encoded', () => {
  it('does not fail for half of a surrogate pair', () => {
    expect(encoded('a\ud800b')).toBe(encoded('a\ufffdb'));
  });
});
