import { compareText, plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { changedPrompt, type JudgingChange, Judgings } from '../../results/judging.js';
import { summarizeNames } from '../bounded-text.js';
import type { TaskTally } from './task-tally.js';

export interface TaskPair {
  base: TaskTally;
  current: TaskTally;
  /** What judges the task differently. Empty: it is judged alike, as far as is known. */
  judging: JudgingChange[];
  /**
   * Runs that were judged alike on both sides, if the task is judged differently: a base of several files can
   * have them. An edit within the base must not hide what happened after it.
   */
  judgedAlike: Pick<TaskPair, 'base' | 'current'>[];
}

export interface PairedTasks {
  pairs: TaskPair[];
  added: TaskTally[];
  removed: TaskTally[];
}

type Tallies = readonly TaskTally[];

/** Pairs the tasks of both sides by name and variant, and then those that were only renamed. */
export function pairTasks(base: Tallies, current: Tallies): PairedTasks {
  const pairs: TaskPair[] = [];
  const removed = new Set<TaskTally>();
  const now = new Map(current.map((tally) => [makeNameKey(tally), tally]));
  const before = new Set(base.map(makeNameKey));
  for (const tally of base) {
    const same = now.get(makeNameKey(tally));
    if (same) pairs.push(makePair(tally, same));
    else removed.add(tally);
  }
  const added = new Set(current.filter((tally) => !before.has(makeNameKey(tally))));
  for (const keyOf of [makeFileKey, makePromptKey]) {
    for (const pair of pairOnlyCandidates(removed, added, keyOf)) {
      pairs.push(pair);
      removed.delete(pair.base);
      added.delete(pair.current);
    }
  }
  pairs.sort(compareByEitherName);
  return { pairs, added: [...added], removed: [...removed] };
}

/** A task on both sides, and what judges it differently. */
export function makePair(base: TaskTally, current: TaskTally): TaskPair {
  const changes = Judgings.changes(base.judgings, current.judgings);
  const prompt = hasOtherPrompt(base, current) ? [changedPrompt] : [];
  const judging = [...prompt, ...changes];
  return {
    base,
    current,
    judging,
    judgedAlike: judging.length > 0 ? findRunsJudgedAlike(base, current) : [],
  };
}

function findRunsJudgedAlike(base: TaskTally, current: TaskTally): TaskPair['judgedAlike'] {
  return [...base.byJudging].flatMap(([key, before]) => {
    const now = current.byJudging.get(key);
    return now && before.judged > 0 && now.judged > 0 ? [{ base: before, current: now }] : [];
  });
}

/** Whether the prompts differ, for results that do not say what judged a task. */
function hasOtherPrompt(base: TaskTally, current: TaskTally): boolean {
  const isKnown = ({ judgings }: TaskTally) =>
    judgings.known.some(({ prompt }) => prompt !== undefined);
  if ((isKnown(base) && isKnown(current)) || base.prompt === null || current.prompt === null)
    return false;
  return base.prompt !== current.prompt;
}

/** An order that stays when the sides change places. */
function compareByEitherName(a: TaskPair, b: TaskPair): number {
  const [first = '', second = ''] = [a, b].map(
    ({ base, current }) => [makeNameKey(base), makeNameKey(current)].sort()[0],
  );
  return compareText(first, second);
}

const makeNameKey = ({ task, variant }: TaskTally) => JSON.stringify([task, variant]);
const makeFileKey = ({ path, variant }: TaskTally) =>
  path === '' ? null : JSON.stringify([path, variant]);
const makePromptKey = ({ prompt, variant }: TaskTally) =>
  prompt === null ? null : JSON.stringify([prompt, variant]);

/** Pairs tasks that are the only ones with their key on each side: anything else would be a guess. */
function pairOnlyCandidates(
  removed: ReadonlySet<TaskTally>,
  added: ReadonlySet<TaskTally>,
  keyOf: (tally: TaskTally) => string | null,
): TaskPair[] {
  const gone = groupByKey(removed, keyOf);
  return [...groupByKey(added, keyOf)].flatMap(([key, candidates]) => {
    const [current, second] = candidates;
    const [base, other] = gone.get(key) ?? [];
    return base && current && !second && !other ? [makePair(base, current)] : [];
  });
}

function groupByKey(
  tallies: ReadonlySet<TaskTally>,
  keyOf: (tally: TaskTally) => string | null,
): Map<string, TaskTally[]> {
  const groups = new Map<string, TaskTally[]>();
  for (const tally of tallies) {
    const key = keyOf(tally);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(tally);
    else groups.set(key, [tally]);
  }
  return groups;
}

/** If a larger share of a side was not judged, its rate is only of what is left. */
const maxNotJudgedShare = 0.2;

/** What to know about the tasks that both sides have. */
export function listPairCaveats(pairs: readonly TaskPair[]): string[] {
  const describe = (text: string, applies: (pair: TaskPair) => boolean) => {
    const names = pairs.filter(applies).map(({ current }) => formatTaskName(current));
    return names.length === 0
      ? []
      : [`${plural(names.length, 'task')} ${text}: ${summarizeNames(names)}`];
  };
  return [
    ...describeNotJudged('base', pairs),
    ...describeNotJudged('current', pairs),
    ...describe('without a judged run in current, though base has some', ({ base, current }) =>
      base.judged > 0 && current.judged === 0),
    ...describe('without a judged run in base, though current has some', ({ base, current }) =>
      base.judged === 0 && current.judged > 0),
    ...describeEditedPairs(pairs),
    ...describeUnknownJudging(pairs),
  ];
}

function describeEditedPairs(pairs: readonly TaskPair[]): string[] {
  const edited = pairs.filter(({ judging }) => judging.length > 0);
  if (edited.length === 0) return [];
  const names = summarizeNames(edited.map(({ current }) => formatTaskName(current)));
  const [count, they] = [plural(edited.length, 'task'), edited.length === 1 ? 'it' : 'they'];
  const verb = edited.length === 1 ? 'is' : 'are';
  return [
    `${count} ${verb} judged differently in current: ${names}; ${they} can count as worse, and never as better`,
  ];
}

/** Sides that did not record what judged their tasks; one sentence, as this holds for all tasks. */
function describeUnknownJudging(pairs: readonly TaskPair[]): string[] {
  const sides = (['base', 'current'] as const).filter((side) =>
    pairs.some((pair) => pair[side].judgings.hasUnknown),
  );
  if (sides.length === 0) return [];
  return [`whether tasks are judged alike is not known: ${sides.join(' and ')} did not record it`];
}

/** Warns if much of a side was not judged: a server that crashes in hard tasks must not look better for it. */
function describeNotJudged(side: 'base' | 'current', pairs: readonly TaskPair[]): string[] {
  const tallies = pairs
    .filter(({ base, current }) => base.judged > 0 && current.judged > 0)
    .map((pair) => pair[side]);
  const taskRuns = tallies.reduce((sum, tally) => sum + tally.taskRuns, 0);
  const judged = tallies.reduce((sum, tally) => sum + tally.judged, 0);
  if (taskRuns - judged <= maxNotJudgedShare * taskRuns) return [];
  const share = `${taskRuns - judged} of ${plural(taskRuns, 'task run')}`;
  return [`${share} in ${side} could not be judged: what is left may be the easier part`];
}
