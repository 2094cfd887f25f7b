import { few } from '../diff/few.js';
import type { ComparedPair, VariantComparison } from './variant-comparison.js';

/** The answer in one sentence: whether the first of the ranking is better, and than which others. */
export function comparisonHeadline({ variants, pairs }: VariantComparison): string {
  const different = pairs.filter(({ verdict }) => verdict === 'different');
  if (different.length === 0) return 'no difference between variants that these runs could show';
  const best = variants[0]?.name ?? '';
  const ofBest = pairs.filter(({ first }) => first === best);
  const beaten = ofBest.filter(isBetter).map(({ second }) => second);
  const others = ofBest.filter((pair) => !isBetter(pair)).map(({ second }) => second);
  if (others.length === 0) {
    return variants.length === 2
      ? `${best} is better than ${few(beaten)}`
      : `${best} is better than every other variant`;
  }
  const like = `${best} cannot be told from ${few(others)}`;
  return beaten.length === 0
    ? `${like}; some others differ`
    : `${like}, and is better than ${few(beaten)}`;
}

function isBetter({ verdict, difference }: ComparedPair): boolean {
  return verdict === 'different' && difference > 0;
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
export function comparisonNextSteps({ pairs, tasks }: VariantComparison): string[] {
  const open = pairs.filter(({ verdict }) => verdict === 'not enough data').length;
  if (open === 0) return [];
  const which = open === 1 ? '1 pair is' : `${open} pairs are`;
  const compared = tasks === 1 ? '1 task' : `${tasks} tasks`;
  return [`${which} open: more tasks than ${compared} would settle it, or more runs of each`];
}

export function probability(value: number): string {
  return value < 0.001 ? '<0.001' : value.toFixed(3);
}
