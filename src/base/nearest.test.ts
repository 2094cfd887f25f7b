import { describe, expect, it } from 'vitest';
import { didYouMean, findNearest } from './nearest.js';

const names = ['toolsUsed', 'toolsNotUsed', 'requireAny', 'maxToolCalls', 'minToolCalls'];

describe('nearest', () => {
  it.each([
    ['toolUsed', 'toolsUsed'],
    ['toolsused', 'toolsUsed'],
    ['toolsUesd', 'toolsUsed'],
    ['toolNotUsed', 'toolsNotUsed'],
    ['requiredAny', 'requireAny'],
    ['maxToolCall', 'maxToolCalls'],
  ])('takes %s for %s', (typed, meant) => {
    expect(findNearest(typed, names)).toBe(meant);
  });

  it.each(['', 'x', 'banana', 'assertions'])('has nothing for %j', (typed) => {
    expect(findNearest(typed, names)).toBeUndefined();
  });

  it('counts a swap of neighbours as one edit', () => {
    expect(findNearest('ab', ['ba'])).toBe('ba');
    expect(findNearest('ab', ['cd'])).toBeUndefined();
  });

  it('makes a hint of it', () => {
    expect(didYouMean('toolUsed', names)).toBe('did you mean toolsUsed?');
    expect(didYouMean('banana', names)).toBeUndefined();
  });
});
