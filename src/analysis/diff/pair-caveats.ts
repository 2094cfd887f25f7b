import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { few } from './few.js';
import type { TaskPair } from './pair-tasks.js';

/** Where more of a side than this was not judged, its rate is one of what is left. */
const muchLeftOut = 0.2;

/** What is odd about tasks that both sides have. */
export function pairCaveats(pairs: readonly TaskPair[]): string[] {
  const told = (what: string, isSo: (pair: TaskPair) => boolean) => {
    const names = pairs.filter(isSo).map(({ current }) => formatTaskName(current));
    return names.length === 0 ? [] : [`${plural(names.length, 'task')} ${what}: ${few(names)}`];
  };
  return [
    ...leftOutOf('base', pairs),
    ...leftOutOf('current', pairs),
    ...told(
      'without a judged run in current, though base has some',
      ({ base, current }) => base.judged > 0 && current.judged === 0,
    ),
    ...told(
      'without a judged run in base, though current has some',
      ({ base, current }) => base.judged === 0 && current.judged > 0,
    ),
    ...judgedDifferently(pairs),
    ...unknownJudging(pairs),
  ];
}

function judgedDifferently(pairs: readonly TaskPair[]): string[] {
  const edited = pairs.filter(({ judging }) => judging.length > 0);
  if (edited.length === 0) return [];
  const names = few(edited.map(({ current }) => formatTaskName(current)));
  const [count, they] = [plural(edited.length, 'task'), edited.length === 1 ? 'it' : 'they'];
  const verb = edited.length === 1 ? 'is' : 'are';
  return [
    `${count} ${verb} judged differently in current: ${names}; ${they} can count as worse, and never as better`,
  ];
}

/** Said once for each side, not for each task: it is a matter of who wrote the results. */
function unknownJudging(pairs: readonly TaskPair[]): string[] {
  const sides = (['base', 'current'] as const).filter((side) =>
    pairs.some((pair) => pair[side].judgings.hasUnknown),
  );
  if (sides.length === 0) return [];
  return [`whether tasks are judged alike is not known: ${sides.join(' and ')} did not record it`];
}

/** Of the tasks that both judged. A server that dies where it is hard must not look better for it. */
function leftOutOf(side: 'base' | 'current', pairs: readonly TaskPair[]): string[] {
  const tallies = pairs
    .filter(({ base, current }) => base.judged > 0 && current.judged > 0)
    .map((pair) => pair[side]);
  const taskRuns = tallies.reduce((sum, tally) => sum + tally.taskRuns, 0);
  const judged = tallies.reduce((sum, tally) => sum + tally.judged, 0);
  if (taskRuns - judged <= muchLeftOut * taskRuns) return [];
  const share = `${taskRuns - judged} of ${plural(taskRuns, 'task run')}`;
  return [`${share} in ${side} could not be judged: what is left may be the easier part`];
}
