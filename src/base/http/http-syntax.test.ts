import http from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findHeaderProblem } from './http-syntax.js';

function isSentByNode(name: string, value: string): boolean {
  try {
    http.validateHeaderName(name);
    http.validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

describe('headerProblem', () => {
  it('names the header, and never its value', () => {
    expect(findHeaderProblem('X-Team', 'Gr\u00fcn')).toBeUndefined();
    const problem = 'the header "X-Team" has a character that no header can carry';
    expect(findHeaderProblem('X-Team', 'secret\u20ac')).toBe(problem);
    expect(findHeaderProblem('X-Team', 'secret\n')).toBe(problem);
    expect(findHeaderProblem('X Team', 'secret')).toBe('"X Team" cannot be the name of a header');
    expect(findHeaderProblem('', 'secret')).toBe('"" cannot be the name of a header');
  });

  it('finds what node:http would refuse', () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 0x120 }).map(String.fromCharCode) });
    fc.assert(
      fc.property(text, text, (name, value) => {
        expect(findHeaderProblem(name, value) === undefined).toBe(isSentByNode(name, value));
        expect(findHeaderProblem('a', value) === undefined).toBe(isSentByNode('a', value));
      }),
    );
  });
});
