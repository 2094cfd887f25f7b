import { few } from '../diff/few.js';
import { isBetter, isToldApart } from './told-apart.js';
import type { ComparedPair, VariantComparison } from './variant-comparison.js';

/** The answer in one sentence: whether the first of the ranking is better, and than which others. */
export function comparisonHeadline({ variants, pairs }: VariantComparison): string {
  if (!pairs.some(isToldApart)) return sameHeadline(pairs);
  const best = variants[0]?.name ?? '';
  const ofBest = pairs.filter(({ first }) => first === best);
  const beaten = ofBest.filter(isBetter).map(({ second }) => second);
  if (beaten.length === ofBest.length) {
    return `${best} is better than ${beaten.length === 1 ? few(beaten) : 'every other variant'}`;
  }
  const alike = ofBest.filter((pair) => !isToldApart(pair)).map(({ second }) => second);
  const mixed = ofBest
    .filter((pair) => isToldApart(pair) && !isBetter(pair))
    .map(({ second }) => second);
  const parts = [
    ...(beaten.length > 0 ? [`is better than ${few(beaten)}`] : []),
    ...(mixed.length > 0 ? [`is better than ${few(mixed)} in some tasks and worse in others`] : []),
    ...(alike.length > 0 ? [`cannot be told from ${few(alike)}`] : []),
  ];
  return `${best} ${parts.join(', and ')}`;
}

/** Of variants that cannot be told apart: whether more data could. */
export function sameHeadline(pairs: readonly Pick<ComparedPair, 'verdict'>[]): string {
  return pairs.some(({ verdict }) => verdict === 'not enough data')
    ? 'not enough data to tell the variants apart'
    : 'no difference between variants that these runs could show';
}

/** A letter for each group: variants that share one cannot be told apart. */
export function groupLetters({ variants, groups }: VariantComparison): Map<string, string> {
  return new Map(
    variants.map(({ name }) => [
      name,
      groups.flatMap((group, index) => (group.includes(name) ? [letterOf(index)] : [])).join(''),
    ]),
  );
}

/** a, b, ... z, and then with a number. */
function letterOf(index: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

/** What would make a clear answer out of one that is not. */
export function comparisonNextSteps({ pairs }: VariantComparison): string[] {
  const open = pairs.filter(({ verdict }) => verdict === 'not enough data').length;
  if (open === 0) return [];
  const which = open === 1 ? '1 pair is' : `${open} pairs are`;
  return [`${which} open as a whole: more tasks would settle it; for single tasks, more runs`];
}

export function probability(value: number): string {
  return value < 0.001 ? '<0.001' : value.toFixed(3);
}
