import { amountsOf } from '../diff/means-fold.js';
import type { MeanAmounts } from '../diff/results-diff.js';
import type { TaskTally } from '../diff/side-fold.js';

type Amount = keyof MeanAmounts;

/**
 * What a judged task run took, for each variant. Tasks weigh the same; one that a variant does not
 * tell the amount of is left out for all that do, so that they are means over the same tasks.
 */
export function comparedAmounts(variants: readonly (readonly TaskTally[])[]): MeanAmounts[] {
  const means = variants.map((tasks) => tasks.map((tally) => tally.means.means));
  const result = variants.map(() => ({ ...nothingTold }));
  for (const amount of amountsOf) {
    const tells = means.map((tasks) => tasks.some((each) => each[amount] !== null));
    const telling = means.filter((_, index) => tells[index]);
    const isUsable = (task: number) => telling.every((tasks) => tasks[task]?.[amount] !== null);
    for (const [index, mean] of result.entries()) {
      const tasks = means[index];
      if (tells[index] && tasks)
        mean[amount] = meanOf(
          tasks.filter((_, at) => isUsable(at)),
          amount,
        );
    }
  }
  return result;
}

export const nothingTold: MeanAmounts = {
  durationMs: null,
  calls: null,
  callErrors: null,
  inputTokens: null,
  outputTokens: null,
  cost: null,
};

function meanOf(tasks: readonly MeanAmounts[], amount: Amount): number | null {
  // Step by step, as a sum of what files say may be too large for a number.
  return tasks.reduce<number | null>((mean, each, index) => {
    const value = each[amount];
    if (value === null) return mean;
    return mean === null ? value : mean + (value - mean) / (index + 1);
  }, null);
}
