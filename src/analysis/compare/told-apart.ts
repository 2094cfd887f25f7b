import { plural } from '../../base/text.js';
import type { ComparedPair } from './variant-comparison.js';

/** Whether two variants differ in anything by more than chance. */
export function isToldApart({ verdict, firstBetterIn, secondBetterIn }: ComparedPair): boolean {
  return verdict === 'different' || firstBetterIn.length + secondBetterIn.length > 0;
}

/** Whether the first is better than the second, and worse in nothing. */
export function isBetter(pair: ComparedPair): boolean {
  if (!isToldApart(pair) || pair.secondBetterIn.length > 0) return false;
  return pair.verdict !== 'different' || pair.difference > 0;
}

/** `different`, or `not enough data, but better in 2 tasks`. */
export function pairVerdictText({ verdict, firstBetterIn, secondBetterIn }: ComparedPair): string {
  const parts = [
    ...(firstBetterIn.length > 0 ? [`better in ${plural(firstBetterIn.length, 'task')}`] : []),
    ...(secondBetterIn.length > 0 ? [`worse in ${plural(secondBetterIn.length, 'task')}`] : []),
  ];
  if (parts.length === 0) return verdict;
  return `${verdict}${verdict === 'different' ? '' : ' as a whole'}, ${parts.join(', ')}`;
}
