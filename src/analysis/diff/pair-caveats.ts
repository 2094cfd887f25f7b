import { plural } from '../../config/plural.js';
import { taskInWords } from '../../events/task-run-key.js';
import { few } from './few.js';
import type { TaskPair } from './pair-tasks.js';

/** Where more of a side than this was not judged, its rate is one of what is left. */
const muchLeftOut = 0.2;

/** What is odd about tasks that both sides have. */
export function pairCaveats(pairs: readonly TaskPair[]): string[] {
  const told = (what: string, isSo: (pair: TaskPair) => boolean) => {
    const names = pairs.filter(isSo).map(({ current }) => taskInWords(current));
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
    ...told(
      'asked with another prompt',
      ({ base, current }) =>
        base.prompt !== null && current.prompt !== null && base.prompt !== current.prompt,
    ),
  ];
}

/** Of the tasks that both judged. A server that dies where it is hard must not look better for it. */
function leftOutOf(side: keyof TaskPair, pairs: readonly TaskPair[]): string[] {
  const tallies = pairs
    .filter(({ base, current }) => base.judged > 0 && current.judged > 0)
    .map((pair) => pair[side]);
  const taskRuns = tallies.reduce((sum, tally) => sum + tally.taskRuns, 0);
  const judged = tallies.reduce((sum, tally) => sum + tally.judged, 0);
  if (taskRuns - judged <= muchLeftOut * taskRuns) return [];
  const share = `${taskRuns - judged} of ${plural(taskRuns, 'task run')}`;
  return [`${share} in ${side} could not be judged: what is left may be the easier part`];
}
