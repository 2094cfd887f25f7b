import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupIndistinguishable } from './variant-pairs.js';

describe('indistinctGroups', () => {
  it('is one group where nothing differs, and one for each where all do', () => {
    expect(groupIndistinguishable(['a', 'b', 'c'], [])).toEqual([['a', 'b', 'c']]);
    expect(
      groupIndistinguishable(
        ['a', 'b', 'c'],
        [
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'c'],
        ],
      ),
    ).toEqual([['a'], ['b'], ['c']]);
  });

  it('has what lies between two others in both groups', () => {
    expect(groupIndistinguishable(['a', 'b', 'c'], [['a', 'c']])).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });

  it('is all the largest sets without a pair that differs', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b): [string, string] => [a, b]));
    fc.assert(
      fc.property(fc.subarray(pairs), (different) => {
        const isFine = (set: readonly string[]) =>
          !different.some(([a, b]) => set.includes(a) && set.includes(b));
        const fine = subsetsOf(names).filter((set) => set.length > 0 && isFine(set));
        const largest = fine.filter(
          (set) => !names.some((name) => !set.includes(name) && isFine([...set, name])),
        );
        const asText = (sets: string[][]) => sets.map((set) => set.join('')).sort();
        expect(asText(groupIndistinguishable(names, different))).toEqual(asText(largest));
      }),
    );
  });
});

function subsetsOf(names: readonly string[]): string[][] {
  const [first, ...others] = names;
  if (first === undefined) return [[]];
  return subsetsOf(others).flatMap((set) => [set, [first, ...set]]);
}
