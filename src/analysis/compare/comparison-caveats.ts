import { plural } from '../../base/text.js';
import { few } from '../diff/few.js';
import { rerunsSentence } from '../reruns-fold.js';
import { unfinishedSentence } from '../summary/caveats.js';
import type { EvaluationsFold } from '../summary/evaluations.js';
import { unlikeSentences } from '../unlike-judging.js';
import type { CommonTasks } from './common-tasks.js';
import type { TalliedContestant } from './contestants.js';

interface Compared {
  variants: readonly TalliedContestant[];
  notRanked: readonly string[];
  common: CommonTasks;
  evaluations: EvaluationsFold;
}

/** Where more of a variant than this was not judged, its rate is one of what is left. */
const muchLeftOut = 0.2;

/** What to know before trusting a comparison of variants. */
export function comparisonCaveats({
  variants,
  notRanked,
  common,
  evaluations,
}: Compared): string[] {
  return [
    ...differing('evals', variants, ({ header }) => header.eval?.name),
    ...differing('judges', variants, ({ header: { judge } }) =>
      judge ? [judge.name, judge.model ?? ''].join(' ').trim() : undefined,
    ),
    ...evaluations.unfinished.map(unfinishedSentence).sort(),
    ...(notRanked.length === 0
      ? []
      : [`nothing was judged of ${few(notRanked.toSorted())}: not compared`]),
    ...variants.toSorted(byName).flatMap(rerunsOf),
    ...leftOutTasks(common),
    ...variants.toSorted(byName).flatMap((variant) => leftOutRuns(variant, common)),
    ...unlikeSentences(common.unlike, 'for all variants, and not compared'),
  ];
}

type Files = TalliedContestant['files'];

function differing(
  what: string,
  variants: readonly TalliedContestant[],
  textOf: (file: Files[number]) => string | undefined,
): string[] {
  const files = variants.flatMap((variant) => variant.files);
  const values = [...new Set(files.flatMap((file) => textOf(file) ?? []))].sort();
  return values.length < 2 ? [] : [`different ${what}: ${few(values)}`];
}

function rerunsOf({ name, reruns }: TalliedContestant): string[] {
  return reruns ? [`${name}: ${rerunsSentence(reruns)}`] : [];
}

function leftOutTasks({ leftOut }: CommonTasks): string[] {
  if (leftOut.length === 0) return [];
  const names = few(leftOut.map(({ task }) => task));
  return [
    `${plural(leftOut.length, 'task')} left out, as not every variant judged ${leftOut.length === 1 ? 'it' : 'them'}: ${names}`,
  ];
}

/** What dies where it is hard must not look better for it. */
function leftOutRuns({ name, tasks }: TalliedContestant, common: CommonTasks): string[] {
  const tallies = common.tasks.flatMap((task) => tasks.get(task) ?? []);
  const taskRuns = tallies.reduce((sum, tally) => sum + tally.taskRuns, 0);
  const judged = tallies.reduce((sum, tally) => sum + tally.judged, 0);
  if (taskRuns - judged <= muchLeftOut * taskRuns) return [];
  const share = `${taskRuns - judged} of ${plural(taskRuns, 'task run')}`;
  return [`${share} of ${name} could not be judged: what is left may be the easier part`];
}

function byName(a: TalliedContestant, b: TalliedContestant): number {
  return a.name < b.name ? -1 : 1;
}
