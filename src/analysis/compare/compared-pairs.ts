import { holmCorrection } from '../../statistics/holm-correction.js';
import type { Passes } from '../../statistics/passes.js';
import { level } from '../diff/level.js';
import { totalVerdict } from '../diff/total-verdict.js';
import type { ComparedPair, PairVerdict } from './variant-comparison.js';

/** A variant with its runs of the tasks that are compared, which all have in the same order. */
export interface VariantPasses {
  name: string;
  tasks: readonly Passes[];
}

type Tested = Omit<ComparedPair, 'adjusted' | 'verdict'> & { seemsOpen: boolean };

/**
 * Every two variants held against each other, as `diff` does with two files. That any of all pairs
 * is called different though it is not is as rare as the level says.
 */
export function comparedPairs(ranked: readonly VariantPasses[]): ComparedPair[] {
  const tested = ranked.flatMap((first, place) =>
    ranked.slice(place + 1).flatMap((second) => testOf(first, second) ?? []),
  );
  const adjusted = holmCorrection(tested.map(({ pValue }) => pValue));
  return tested.map(({ seemsOpen, ...pair }, index) => {
    const corrected = adjusted[index] ?? 1;
    return { ...pair, adjusted: corrected, verdict: verdictOf(corrected, seemsOpen) };
  });
}

function testOf(first: VariantPasses, second: VariantPasses): Tested | undefined {
  const sides = first.tasks.flatMap((current, task) => {
    const base = second.tasks[task];
    return base ? [{ base, current }] : [];
  });
  const { difference, low, high, pValue, method, verdict } = totalVerdict(sides);
  if (difference === null || low === null || high === null || pValue === null || !method) {
    return undefined;
  }
  const names = { first: first.name, second: second.name };
  return { ...names, difference, low, high, pValue, method, seemsOpen: verdict !== 'no change' };
}

/** What would be more than chance if it were the only pair, more tasks can settle. */
function verdictOf(adjusted: number, seemsOpen: boolean): PairVerdict {
  if (adjusted <= level) return 'different';
  return seemsOpen ? 'not enough data' : 'no difference';
}
