import { changedPrompt, type JudgingChange, Judgings } from '../../results/judging.js';
import type { TaskTally } from './side-fold.js';

export interface TaskPair {
  base: TaskTally;
  current: TaskTally;
  /** What judges the task differently. None: it is judged alike, as far as is known. */
  judging: JudgingChange[];
  /**
   * Of a task that is judged differently: its runs that were judged alike on both sides, as a baseline of
   * several files can hold them. An edit within a baseline must not hide what happened after it.
   */
  judgedAlike: Pick<TaskPair, 'base' | 'current'>[];
}

export interface PairedTasks {
  pairs: TaskPair[];
  added: TaskTally[];
  removed: TaskTally[];
}

type Tallies = readonly TaskTally[];

/** The tasks of both sides by name and variant; then those that only changed their name. */
export function pairTasks(base: Tallies, current: Tallies): PairedTasks {
  const pairs: TaskPair[] = [];
  const removed = new Set<TaskTally>();
  const now = new Map(current.map((tally) => [nameOf(tally), tally]));
  const before = new Set(base.map(nameOf));
  for (const tally of base) {
    const same = now.get(nameOf(tally));
    if (same) pairs.push(pairOf(tally, same));
    else removed.add(tally);
  }
  const added = new Set(current.filter((tally) => !before.has(nameOf(tally))));
  for (const keyOf of [fileOf, promptOf]) {
    for (const pair of onlyCandidates(removed, added, keyOf)) {
      pairs.push(pair);
      removed.delete(pair.base);
      added.delete(pair.current);
    }
  }
  pairs.sort(byEitherName);
  return { pairs, added: [...added], removed: [...removed] };
}

/** A task on both sides, and what judges it differently. */
export function pairOf(base: TaskTally, current: TaskTally): TaskPair {
  const changes = Judgings.changes(base.judgings, current.judgings);
  const prompt = hasOtherPrompt(base, current) ? [changedPrompt] : [];
  const judging = [...prompt, ...changes];
  return { base, current, judging, judgedAlike: judging.length > 0 ? alike(base, current) : [] };
}

function alike(base: TaskTally, current: TaskTally): TaskPair['judgedAlike'] {
  return [...base.byJudging].flatMap(([key, before]) => {
    const now = current.byJudging.get(key);
    return now && before.judged > 0 && now.judged > 0 ? [{ base: before, current: now }] : [];
  });
}

/** Where results do not say what judged a task, its prompt still tells whether it is another one. */
function hasOtherPrompt(base: TaskTally, current: TaskTally): boolean {
  const isKnown = ({ judgings }: TaskTally) =>
    judgings.known.some(({ prompt }) => prompt !== undefined);
  if ((isKnown(base) && isKnown(current)) || base.prompt === null || current.prompt === null)
    return false;
  return base.prompt !== current.prompt;
}

/** An order that stays when the sides change places. */
function byEitherName(a: TaskPair, b: TaskPair): number {
  const [first = '', second = ''] = [a, b].map(
    ({ base, current }) => [nameOf(base), nameOf(current)].sort()[0],
  );
  return first < second ? -1 : first > second ? 1 : 0;
}

const nameOf = ({ task, variant }: TaskTally) => JSON.stringify([task, variant]);
const fileOf = ({ path, variant }: TaskTally) =>
  path === '' ? null : JSON.stringify([path, variant]);
const promptOf = ({ prompt, variant }: TaskTally) =>
  prompt === null ? null : JSON.stringify([prompt, variant]);

/** Those that are the only ones with their key, here and there: anything else would be a guess. */
function onlyCandidates(
  removed: ReadonlySet<TaskTally>,
  added: ReadonlySet<TaskTally>,
  keyOf: (tally: TaskTally) => string | null,
): TaskPair[] {
  const gone = byKey(removed, keyOf);
  return [...byKey(added, keyOf)].flatMap(([key, candidates]) => {
    const [current, second] = candidates;
    const [base, other] = gone.get(key) ?? [];
    return base && current && !second && !other ? [pairOf(base, current)] : [];
  });
}

function byKey(
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
