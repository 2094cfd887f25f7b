import type { Passes } from '../../base/statistics/pass-at-k.js';
import type { PooledResults } from '../../results/read/pooled-results.js';
import { NotComparableError } from '../diff/comparability.js';
import type { MeanAmounts } from '../diff/results-diff.js';
import { amountKeys, SideFold, type TaskTally } from '../diff/task-tally.js';
import { computeClusteredRate, computeRate } from '../pass-rates.js';
import { RerunsFold } from '../reruns.js';
import { CompletenessFold, summarizeSource } from '../summary/completeness.js';
import {
  type CommonTasks,
  type ComparedVariant,
  findCommonTasks,
  listComparedVariants,
  type TalliedVariant,
} from './compared-variants.js';
import { listComparisonCaveats } from './comparison-text.js';
import type { Disagreement, RankedVariant, VariantComparison } from './variant-comparison.js';
import {
  comparePairs,
  groupIndistinguishable,
  isDistinguishable,
  type VariantPasses,
} from './variant-pairs.js';

export interface CompareOptions {
  /** Selects tasks; all if it is missing. */
  isWanted?: (task: string) => boolean;
  /** Selects variants by the names that the comparison gives them; all if it is missing. */
  isWantedVariant?: (name: string) => boolean;
}

/**
 * Ranks the variants of a matrix, or of several files, and says which of them differ by more than chance. One
 * task run is in memory at a time. Throws NotComparableError, and what reading throws.
 */
export async function compareVariants(
  pooled: PooledResults,
  { isWanted = () => true, isWantedVariant = () => true }: CompareOptions = {},
): Promise<VariantComparison> {
  const compared = listComparedVariants(pooled.files);
  const wanted = compared.filter(({ name }) => isWantedVariant(name));
  if (wanted.length < 2) throw makeTooFewError(compared, wanted);
  const { variants, evaluations } = await tallyVariants(pooled, wanted, isWanted);
  const judged = variants.filter(({ tasks }) =>
    [...tasks.values()].some((tally) => tally.judged > 0),
  );
  const notRanked = variants.filter((variant) => !judged.includes(variant)).map(({ name }) => name);
  if (judged.length < 2) throw makeNothingJudgedError(notRanked);
  const common = findCommonTasks(judged);
  if (common.tasks.length === 0) throw makeNothingInCommonError(judged, common);
  const ranked = rankVariants(judged, common);
  const passes = ranked.map(({ name, tallies }) => ({ name, tasks: tallies }));
  const pairs = comparePairs(common.tasks, passes);
  const different = pairs.filter(isDistinguishable);
  return {
    sources: pooled.files.map(summarizeSource),
    tasks: common.tasks.length,
    variants: ranked.map(({ tallies, ...variant }) => variant),
    pairs,
    groups: groupIndistinguishable(
      ranked.map(({ name }) => name),
      different.map(({ first, second }) => [first, second]),
    ),
    disagreements: findDisagreements(common.tasks, passes),
    leftOut: common.leftOut,
    notRanked: notRanked.sort(),
    caveats: listComparisonCaveats({ variants: judged, notRanked, common, evaluations }),
  };
}

async function tallyVariants(
  pooled: PooledResults,
  compared: readonly ComparedVariant[],
  isWanted: (task: string) => boolean,
) {
  const folds = compared.map((variant) => ({
    variant,
    fold: new SideFold(),
    reruns: new RerunsFold(variant.files),
  }));
  const files = pooled.files.filter((file) => compared.some((each) => each.files.includes(file)));
  const evaluations = new CompletenessFold(files);
  for await (const { file, taskRun } of pooled.taskRuns({ withoutCallResults: true })) {
    evaluations.add(file, taskRun);
    if (!isWanted(taskRun.task)) continue;
    const found = folds.find(
      ({ variant }) => variant.variant === taskRun.variant && variant.files.includes(file),
    );
    if (found && !found.reruns.leavesOut(file, taskRun)) found.fold.add(taskRun);
  }
  const variants = folds.map(
    ({ variant, fold, reruns }): TalliedVariant => ({
      ...variant,
      reruns: reruns.summary,
      tasks: new Map(fold.tasks.map((tally) => [tally.task, tally])),
    }),
  );
  return { variants, evaluations };
}

type RankedWithRuns = RankedVariant & { tallies: TaskTally[] };

/** Ranks variants. Ties are decided by name, so that the order of files does not matter. */
function rankVariants(
  variants: readonly TalliedVariant[],
  { tasks }: CommonTasks,
): RankedWithRuns[] {
  const runs = variants.map((variant) => tasks.flatMap((task) => variant.tasks.get(task) ?? []));
  const amounts = compareAmounts(runs);
  const unranked = variants.map(({ name, path, agent, mcpConfigFile }, index): RankedWithRuns => {
    const tallies = runs[index] ?? [];
    const sum = (of: (tally: TaskTally) => number) =>
      tallies.reduce((total, tally) => total + of(tally), 0);
    return {
      rank: 0,
      name,
      path,
      agent,
      mcpConfigFile,
      ...computeClusteredRate(tallies),
      taskRuns: sum(({ taskRuns }) => taskRuns),
      errors: sum(({ errors }) => errors),
      cancelled: sum(({ cancelled }) => cancelled),
      amounts: amounts[index] ?? unknownAmounts,
      tallies,
    };
  });
  unranked.sort(compareByRateAndPrice);
  const rankOf = (variant: RankedVariant) =>
    1 + unranked.filter(({ rate }) => (rate ?? 0) > (variant.rate ?? 0)).length;
  return unranked.map((variant) => ({ ...variant, rank: rankOf(variant) }));
}

/** Orders variants by rate, then by cost, then by time. */
function compareByRateAndPrice(a: RankedVariant, b: RankedVariant): number {
  const priceOf = ({ amounts }: RankedVariant) => amounts.cost ?? Number.POSITIVE_INFINITY;
  const timeOf = ({ amounts }: RankedVariant) => amounts.durationMs ?? Number.POSITIVE_INFINITY;
  return (
    compareValues(b.rate ?? 0, a.rate ?? 0) ||
    compareValues(priceOf(a), priceOf(b)) ||
    compareValues(timeOf(a), timeOf(b)) ||
    compareValues(a.name, b.name)
  );
}

function compareValues<Value extends number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const maxNamed = 20;

function makeTooFewError(
  all: readonly ComparedVariant[],
  wanted: readonly ComparedVariant[],
): NotComparableError {
  const names = all.slice(0, maxNamed).map(({ name }) => name);
  if (wanted.length < all.length) {
    const found = wanted.length === 0 ? 'no variant' : `only ${wanted[0]?.name}`;
    return new NotComparableError(
      `--variant: ${found} is left`,
      `variants are: ${names.join(', ')}`,
    );
  }
  return new NotComparableError(
    'there is only one variant: nothing to compare it with',
    'give results of a matrix (check --agent A --agent B), or several files',
  );
}

function makeNothingJudgedError(notRanked: readonly string[]): NotComparableError {
  return new NotComparableError(
    `fewer than two variants have a task run that was judged; without one: ${notRanked.join(', ')}`,
    'look at why: proctor summary RESULTS',
  );
}

function makeNothingInCommonError(
  variants: readonly ComparedVariant[],
  { unlike: [unlike] }: CommonTasks,
): NotComparableError {
  const names = variants.slice(0, maxNamed).map(({ name }) => name);
  if (unlike) {
    return new NotComparableError(
      `no task is judged alike for all of ${names.join(', ')}; ${unlike.task}: ${unlike.text}`,
      'judge the recorded calls by the same eval: proctor recheck RESULTS --eval EVAL --out FILE',
    );
  }
  return new NotComparableError(
    `no task was judged by all of ${names.join(', ')}`,
    'choose some with --variant; parts of one run become one with proctor result merge',
  );
}

type Amount = keyof MeanAmounts;

/**
 * Mean amounts of a judged task run, for each variant. Tasks weigh the same. A task without a known amount in
 * one variant is left out for all others, so that these are means over the same tasks.
 */
function compareAmounts(variants: readonly (readonly TaskTally[])[]): MeanAmounts[] {
  const means = variants.map((tasks) => tasks.map((tally) => tally.means.means));
  const result = variants.map(() => ({ ...unknownAmounts }));
  for (const amount of amountKeys) {
    const isKnown = means.map((tasks) => tasks.some((task) => task[amount] !== null));
    const known = means.filter((_, index) => isKnown[index]);
    const isUsable = (task: number) => known.every((tasks) => tasks[task]?.[amount] !== null);
    for (const [index, mean] of result.entries()) {
      const tasks = means[index];
      if (isKnown[index] && tasks)
        mean[amount] = computeMean(
          tasks.filter((_, at) => isUsable(at)),
          amount,
        );
    }
  }
  return result;
}

const unknownAmounts: MeanAmounts = {
  durationMs: null,
  calls: null,
  callErrors: null,
  inputTokens: null,
  outputTokens: null,
  cost: null,
};

function computeMean(tasks: readonly MeanAmounts[], amount: Amount): number | null {
  // Step by step, as a sum of what files say may be too large for a number.
  return tasks.reduce<number | null>((mean, each, index) => {
    const value = each[amount];
    if (value === null) return mean;
    return mean === null ? value : mean + (value - mean) / (index + 1);
  }, null);
}

/** The tasks that some variants pass more often than others, the largest spread first. */
function findDisagreements(
  tasks: readonly string[],
  ranked: readonly VariantPasses[],
): Disagreement[] {
  const found = tasks.flatMap((task, index): Disagreement[] => {
    const passes = ranked.flatMap(({ name, tasks: runs }) => {
      const own = runs[index];
      return own ? [{ variant: name, own }] : [];
    });
    const spread = computeRateSpread(passes.map(({ own }) => own));
    if (spread === 0) return [];
    return [
      { task, spread, rates: passes.map(({ variant, own }) => ({ variant, ...computeRate(own) })) },
    ];
  });
  // Stable: tasks come in the order of their names.
  return found.sort((a, b) => b.spread - a.spread);
}

function computeRateSpread(all: readonly Passes[]): number {
  const rates = all.map(({ passed, judged }) => passed / judged);
  return rates.reduce((a, b) => Math.max(a, b), 0) - rates.reduce((a, b) => Math.min(a, b), 1);
}
