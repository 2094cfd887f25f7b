import { describe, expect, it } from 'vitest';
import { hasLabels, type LabelSelector, matchesSelector, parseLabelSelector } from './labels.js';

const select = (text: string, labels: Record<string, string>) =>
  matchesSelector(labels, parseLabelSelector(text) as LabelSelector);

describe('--label-selector', () => {
  it.each([
    ['a=1', { a: '1' }, true],
    ['a=1', { a: '2' }, false],
    ['a=1', {}, false],
    ['a=1,a=2', { a: '2' }, true],
    ['a=1,b=2', { a: '1' }, false],
    ['a=1,b=2', { a: '1', b: '2' }, true],
    ['a=1,b=2,a=3', { a: '3', b: '2' }, true],
    [' a = 1 , b=2', { a: '1', b: '2' }, true],
    ['a=b=c', { a: 'b=c' }, true],
  ])('%s on %j: %s', (text, labels, matches) => {
    expect(select(text, labels)).toBe(matches);
  });

  it('never takes a label that is not there for an empty one', () => {
    const empty = new Map([['a', new Set([''])]]);
    expect(matchesSelector({}, empty)).toBe(false);
    expect(matchesSelector({ a: '' }, empty)).toBe(true);
  });

  it.each(['', 'a', 'a=', 'a= ', 'a=1,', '=1', ',a=1'])('--label-selector refuses %j', (text) => {
    expect(parseLabelSelector(text)).toMatch(/^expected key=value/);
  });
});

describe('labelSelector of a task set', () => {
  it('selects tasks that have all its labels', () => {
    expect(hasLabels({ a: '1', b: '2' }, { a: '1' })).toBe(true);
    expect(hasLabels({ a: '1', b: '2' }, { a: '1', b: '3' })).toBe(false);
    expect(hasLabels({}, {})).toBe(true);
  });
});
