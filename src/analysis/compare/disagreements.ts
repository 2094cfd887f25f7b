import type { Passes } from '../../base/statistics/pass-at-k.js';
import { rateOf } from '../pass-rates.js';
import type { VariantPasses } from './compared-pairs.js';
import type { Disagreement } from './variant-comparison.js';

/** The tasks that some variants pass more often than others, the largest spread first. */
export function disagreements(
  tasks: readonly string[],
  ranked: readonly VariantPasses[],
): Disagreement[] {
  const found = tasks.flatMap((task, index): Disagreement[] => {
    const passes = ranked.flatMap(({ name, tasks: runs }) => {
      const own = runs[index];
      return own ? [{ variant: name, own }] : [];
    });
    const spread = spreadOf(passes.map(({ own }) => own));
    if (spread === 0) return [];
    return [
      { task, spread, rates: passes.map(({ variant, own }) => ({ variant, ...rateOf(own) })) },
    ];
  });
  // Stable: tasks come in the order of their names.
  return found.sort((a, b) => b.spread - a.spread);
}

function spreadOf(all: readonly Passes[]): number {
  const rates = all.map(({ passed, judged }) => passed / judged);
  return rates.reduce((a, b) => Math.max(a, b), 0) - rates.reduce((a, b) => Math.min(a, b), 1);
}
