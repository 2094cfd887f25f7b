import type { PooledResults } from '../../results/pooled-results.js';
import { NotComparable } from '../diff/not-comparable.js';
import { SideFold, type TaskTally } from '../diff/side-fold.js';
import { clusteredRate } from '../pass-rates.js';
import { RerunsFold } from '../reruns-fold.js';
import { EvaluationsFold, sourceSummary } from '../summary/evaluations.js';
import { type CommonTasks, commonTasks } from './common-tasks.js';
import { comparedAmounts, nothingTold } from './compared-amounts.js';
import { comparedPairs } from './compared-pairs.js';
import { comparisonCaveats } from './comparison-caveats.js';
import { type Contestant, contestantsOf, type TalliedContestant } from './contestants.js';
import { disagreements } from './disagreements.js';
import { indistinctGroups } from './indistinct-groups.js';
import { isToldApart } from './told-apart.js';
import type { RankedVariant, VariantComparison } from './variant-comparison.js';

export interface CompareOptions {
  /** Of which tasks; without it, of all. */
  isWanted?: (task: string) => boolean;
  /** Which variants, by the names that they have here; without it, all. */
  isWantedVariant?: (name: string) => boolean;
}

/**
 * Ranks the variants of a matrix, or of several files, and says which of them differ by more than
 * chance. One task run is in memory at a time. Throws NotComparable, and what reading throws.
 */
export async function compareVariants(
  pooled: PooledResults,
  { isWanted = () => true, isWantedVariant = () => true }: CompareOptions = {},
): Promise<VariantComparison> {
  const contestants = contestantsOf(pooled.files);
  const wanted = contestants.filter(({ name }) => isWantedVariant(name));
  if (wanted.length < 2) throw tooFew(contestants, wanted);
  const { variants, evaluations } = await tallied(pooled, wanted, isWanted);
  const judged = variants.filter(({ tasks }) =>
    [...tasks.values()].some((each) => each.judged > 0),
  );
  const notRanked = variants.filter((variant) => !judged.includes(variant)).map(({ name }) => name);
  if (judged.length < 2) throw nothingJudged(notRanked);
  const common = commonTasks(judged);
  if (common.tasks.length === 0) throw nothingInCommon(judged, common);
  const ranked = rankedVariants(judged, common);
  const passes = ranked.map(({ name, tallies }) => ({ name, tasks: tallies }));
  const pairs = comparedPairs(common.tasks, passes);
  const different = pairs.filter(isToldApart);
  return {
    sources: pooled.files.map(sourceSummary),
    tasks: common.tasks.length,
    variants: ranked.map(({ tallies, ...variant }) => variant),
    pairs,
    groups: indistinctGroups(
      ranked.map(({ name }) => name),
      different.map(({ first, second }) => [first, second]),
    ),
    disagreements: disagreements(common.tasks, passes),
    leftOut: common.leftOut,
    notRanked: notRanked.sort(),
    caveats: comparisonCaveats({ variants: judged, notRanked, common, evaluations }),
  };
}

async function tallied(
  pooled: PooledResults,
  contestants: readonly Contestant[],
  isWanted: (task: string) => boolean,
) {
  const folds = contestants.map((contestant) => ({
    contestant,
    fold: new SideFold(),
    reruns: new RerunsFold(contestant.files),
  }));
  const files = pooled.files.filter((file) =>
    contestants.some((each) => each.files.includes(file)),
  );
  const evaluations = new EvaluationsFold(files);
  for await (const { file, taskRun } of pooled.taskRuns({ withoutCallResults: true })) {
    evaluations.add(file, taskRun);
    if (!isWanted(taskRun.task)) continue;
    const found = folds.find(
      ({ contestant }) => contestant.variant === taskRun.variant && contestant.files.includes(file),
    );
    if (found && !found.reruns.leavesOut(file, taskRun)) found.fold.add(taskRun);
  }
  const variants = folds.map(
    ({ contestant, fold, reruns }): TalliedContestant => ({
      ...contestant,
      reruns: reruns.summary,
      tasks: new Map(fold.tasks.map((tally) => [tally.task, tally])),
    }),
  );
  return { variants, evaluations };
}

type RankedWithRuns = RankedVariant & { tallies: TaskTally[] };

/** The order of the files must not matter: of those that are alike, the name decides. */
function rankedVariants(
  variants: readonly TalliedContestant[],
  { tasks }: CommonTasks,
): RankedWithRuns[] {
  const runs = variants.map((variant) => tasks.flatMap((task) => variant.tasks.get(task) ?? []));
  const amounts = comparedAmounts(runs);
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
      ...clusteredRate(tallies),
      taskRuns: sum(({ taskRuns }) => taskRuns),
      errors: sum(({ errors }) => errors),
      cancelled: sum(({ cancelled }) => cancelled),
      amounts: amounts[index] ?? nothingTold,
      tallies,
    };
  });
  unranked.sort(byRateAndPrice);
  const rankOf = (variant: RankedVariant) =>
    1 + unranked.filter(({ rate }) => (rate ?? 0) > (variant.rate ?? 0)).length;
  return unranked.map((variant) => ({ ...variant, rank: rankOf(variant) }));
}

/** Of those that pass as often, the cheaper one comes first, then the faster one. */
function byRateAndPrice(a: RankedVariant, b: RankedVariant): number {
  const priceOf = ({ amounts }: RankedVariant) => amounts.cost ?? Number.POSITIVE_INFINITY;
  const timeOf = ({ amounts }: RankedVariant) => amounts.durationMs ?? Number.POSITIVE_INFINITY;
  return (
    compare(b.rate ?? 0, a.rate ?? 0) ||
    compare(priceOf(a), priceOf(b)) ||
    compare(timeOf(a), timeOf(b)) ||
    compare(a.name, b.name)
  );
}

function compare<Value extends number | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const mostNamed = 20;

function tooFew(all: readonly Contestant[], wanted: readonly Contestant[]): NotComparable {
  const names = all.slice(0, mostNamed).map(({ name }) => name);
  if (wanted.length < all.length) {
    const found = wanted.length === 0 ? 'no variant' : `only ${wanted[0]?.name}`;
    return new NotComparable(`--variant: ${found} is left`, `variants are: ${names.join(', ')}`);
  }
  return new NotComparable(
    'there is only one variant: nothing to compare it with',
    'give results of a matrix (check --agent A --agent B), or several files',
  );
}

function nothingJudged(notRanked: readonly string[]): NotComparable {
  return new NotComparable(
    `fewer than two variants have a task run that was judged; without one: ${notRanked.join(', ')}`,
    'look at why: proctor summary RESULTS',
  );
}

function nothingInCommon(
  variants: readonly Contestant[],
  { unlike: [unlike] }: CommonTasks,
): NotComparable {
  const names = variants.slice(0, mostNamed).map(({ name }) => name);
  if (unlike) {
    return new NotComparable(
      `no task is judged alike for all of ${names.join(', ')}; ${unlike.task}: ${unlike.text}`,
      'judge the recorded calls by the same eval: proctor recheck RESULTS --eval EVAL --out FILE',
    );
  }
  return new NotComparable(
    `no task was judged by all of ${names.join(', ')}`,
    'choose some with --variant; parts of one run become one with proctor result merge',
  );
}
