import { plural } from '../../base/text.js';
import { summarizeNames } from '../bounded-text.js';
import { describeUnlikeTasks } from '../judging-differences.js';
import { describeRerunTaskRuns } from '../reruns.js';
import { describeUnfinished } from '../summary/caveats.js';
import type { CompletenessFold } from '../summary/completeness.js';
import type { CommonTasks, TalliedVariant } from './compared-variants.js';
import type { ComparedPair, VariantComparison } from './variant-comparison.js';
import { isBetter, isDistinguishable } from './variant-pairs.js';

/** The answer in one sentence: whether the first of the ranking is better, and than which others. */
export function formatComparisonHeadline({ variants, pairs }: VariantComparison): string {
  if (!pairs.some(isDistinguishable)) return formatNoDifferenceHeadline(pairs);
  const best = variants[0]?.name ?? '';
  const pairsOfBest = pairs.filter(({ first }) => first === best);
  const beaten = pairsOfBest.filter(isBetter).map(({ second }) => second);
  if (beaten.length === pairsOfBest.length) {
    return `${best} is better than ${beaten.length === 1 ? summarizeNames(beaten) : 'every other variant'}`;
  }
  const alike = pairsOfBest.filter((pair) => !isDistinguishable(pair)).map(({ second }) => second);
  const mixed = pairsOfBest
    .filter((pair) => isDistinguishable(pair) && !isBetter(pair))
    .map(({ second }) => second);
  const parts = [
    ...(beaten.length > 0 ? [`is better than ${summarizeNames(beaten)}`] : []),
    ...(mixed.length > 0
      ? [`is better than ${summarizeNames(mixed)} in some tasks and worse in others`]
      : []),
    ...(alike.length > 0 ? [`shows no clear difference from ${summarizeNames(alike)}`] : []),
  ];
  return `${best} ${parts.join(', and ')}`;
}

/** The headline if no variants differ: whether more data could show a difference. */
export function formatNoDifferenceHeadline(
  pairs: readonly Pick<ComparedPair, 'verdict'>[],
): string {
  return pairs.some(({ verdict }) => verdict === 'not enough data')
    ? 'not enough data to compare the variants'
    : 'no detectable difference between the variants';
}

/** Letters of the groups of each variant: variants that share a letter do not differ. */
export function assignGroupLetters({ variants, groups }: VariantComparison): Map<string, string> {
  return new Map(
    variants.map(({ name }) => [
      name,
      groups
        .flatMap((group, index) => (group.includes(name) ? [formatLetter(index)] : []))
        .join(''),
    ]),
  );
}

/** a, b, ... z, and then letters with a number. */
function formatLetter(index: number): string {
  const letter = String.fromCharCode('a'.charCodeAt(0) + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

/** What would make a clear answer out of one that is not. */
export function listComparisonNextSteps({ pairs }: VariantComparison): string[] {
  const open = pairs.filter(({ verdict }) => verdict === 'not enough data').length;
  if (open === 0) return [];
  const which = open === 1 ? '1 pair is' : `${open} pairs are`;
  return [`${which} undecided overall: run more tasks; for single tasks, more runs`];
}

interface Compared {
  variants: readonly TalliedVariant[];
  notRanked: readonly string[];
  common: CommonTasks;
  evaluations: CompletenessFold;
}

/** Where more of a variant than this was not judged, its rate is one of what is left. */
const maxNotJudgedShare = 0.2;

/** What to know before trusting a comparison of variants. */
export function listComparisonCaveats({
  variants,
  notRanked,
  common,
  evaluations,
}: Compared): string[] {
  return [
    ...describeDiffering('evals', variants, ({ header }) => header.eval?.name),
    ...describeDiffering('judges', variants, ({ header: { judge } }) =>
      judge ? [judge.name, judge.model ?? ''].join(' ').trim() : undefined,
    ),
    ...evaluations.unfinished.map(describeUnfinished).sort(),
    ...(notRanked.length === 0
      ? []
      : [`not compared, as nothing was judged: ${summarizeNames(notRanked.toSorted())}`]),
    ...variants.toSorted(compareByName).flatMap(describeReruns),
    ...describeLeftOutTasks(common),
    ...variants.toSorted(compareByName).flatMap((variant) => describeLeftOutRuns(variant, common)),
    ...describeUnlikeTasks(common.unlike, 'for all variants, and not compared'),
  ];
}

type Files = TalliedVariant['files'];

function describeDiffering(
  title: string,
  variants: readonly TalliedVariant[],
  getText: (file: Files[number]) => string | undefined,
): string[] {
  const files = variants.flatMap((variant) => variant.files);
  const values = [...new Set(files.flatMap((file) => getText(file) ?? []))].sort();
  return values.length < 2 ? [] : [`different ${title}: ${summarizeNames(values)}`];
}

function describeReruns({ name, reruns }: TalliedVariant): string[] {
  return reruns ? [`${name}: ${describeRerunTaskRuns(reruns)}`] : [];
}

function describeLeftOutTasks({ leftOut }: CommonTasks): string[] {
  if (leftOut.length === 0) return [];
  const names = summarizeNames(leftOut.map(({ task }) => task));
  return [
    `${plural(leftOut.length, 'task')} left out, as not every variant judged ${leftOut.length === 1 ? 'it' : 'them'}: ${names}`,
  ];
}

/** Warns if much was not judged: a variant that fails with errors in hard tasks must not look better for it. */
function describeLeftOutRuns({ name, tasks }: TalliedVariant, common: CommonTasks): string[] {
  const tallies = common.tasks.flatMap((task) => tasks.get(task) ?? []);
  const taskRuns = tallies.reduce((sum, tally) => sum + tally.taskRuns, 0);
  const judged = tallies.reduce((sum, tally) => sum + tally.judged, 0);
  if (taskRuns - judged <= maxNotJudgedShare * taskRuns) return [];
  const share = `${taskRuns - judged} of ${plural(taskRuns, 'task run')}`;
  return [`${share} of ${name} could not be judged: what is left may be the easier part`];
}

function compareByName(a: TalliedVariant, b: TalliedVariant): number {
  return a.name < b.name ? -1 : 1;
}
