import type { ReportIndex, ReportSet } from '../../report-data/report-data.js';
import { shortName } from '../elements/text.js';
import { encoded, formatHash } from './hash.js';

type LinkedIndex = Pick<ReportIndex, 'tasks' | 'taskRuns'> & {
  sets: readonly Pick<ReportSet, 'source' | 'variant'>[];
};

interface RunKeys {
  /** By place in the columns. */
  keys: string[];
  places: Map<string, number>;
}

const known = new WeakMap<LinkedIndex, RunKeys>();

/** Link to a task run, given its place in the columns of `index.taskRuns`. */
export function runLink(index: LinkedIndex, place: number, query?: URLSearchParams): string {
  return formatHash(`run/${findRunKeys(index).keys[place] ?? ''}`, query);
}

/** Where in the columns the task run is that an address names. */
export function placeOfRun(index: LinkedIndex, parts: readonly string[]): number | undefined {
  return findRunKeys(index).places.get(parts.map(encoded).join('/'));
}

/** The same by the names that analyses use. Undefined: the report does not have it. */
export function placeOfNamedRun(
  index: LinkedIndex,
  set: number,
  task: string,
  run: number,
): number | undefined {
  return findRunKeys(index).places.get(formatRunPath(index, set, encoded(task), run));
}

/** The same run of the same task that other variants did, in the order of the matrix. */
export function sameRunOfVariants(index: LinkedIndex, place: number): number[] {
  const { sets, taskRuns } = index;
  const source = sets[taskRuns.set[place] ?? -1]?.source;
  const [task, run] = [taskRuns.task[place], taskRuns.run[place]];
  const bySet = new Map<number, number>();
  for (const [other, set] of taskRuns.set.entries()) {
    if (taskRuns.task[other] !== task || taskRuns.run[other] !== run) continue;
    if (sets[set]?.source === source && !bySet.has(set)) bySet.set(set, other);
  }
  bySet.set(taskRuns.set[place] ?? -1, place);
  return [...bySet].sort(([one], [other]) => one - other).map(([, found]) => found);
}

/** `<source>/<task>/<variant>/<run>`, without a matrix `<source>/<task>/<run>`. */
function formatRunPath(
  { sets }: LinkedIndex,
  set: number,
  encodedTask: string,
  run: number,
): string {
  const { source, variant = null } = sets[set] ?? {};
  const parts = [source, encodedTask, ...(variant === null ? [] : [encoded(variant)]), run];
  return parts.join('/');
}

/** Pooled files can have several of a name, which `/2` and so on follows. */
function findRunKeys(index: LinkedIndex): RunKeys {
  const before = known.get(index);
  if (before) return before;
  const { set, task, run } = index.taskRuns;
  const tasks = index.tasks.map(({ name }) => encoded(name));
  const places = new Map<string, number>();
  const timesUsed = new Map<string, number>();
  const keys = set.map((setNumber, place) => {
    const name = formatRunPath(index, setNumber, tasks[task[place] ?? -1] ?? '', run[place] ?? 0);
    let times = (timesUsed.get(name) ?? 0) + 1;
    // A variant can have a number for its name.
    while (places.has(formatRunKey(name, times))) times += 1;
    timesUsed.set(name, times);
    const key = formatRunKey(name, times);
    places.set(key, place);
    return key;
  });
  const made = { keys, places };
  known.set(index, made);
  return made;
}

function formatRunKey(name: string, times: number): string {
  return times === 1 ? name : `${name}/${times}`;
}

/** `feed-pet, run 2`, and of a matrix `feed-pet, fast-agent, run 2`. */
export function nameOfRun(index: ReportIndex, place: number): string {
  const { tasks, sets, taskRuns, recorded } = index;
  const task = tasks[taskRuns.task[place] ?? -1]?.name ?? '';
  const variant = sets[taskRuns.set[place] ?? -1]?.variant ?? null;
  return [
    shortName(task),
    ...(variant === null ? [] : [shortName(variant)]),
    ...(recorded ? [] : [`run ${taskRuns.run[place]}`]),
  ].join(', ');
}

/** Where a task run stands among those that one reads one after another. */
interface PlaceInOrder {
  before: number | undefined;
  after: number | undefined;
  /** From 1. */
  number: number;
  of: number;
}

/**
 * `shown`: as the overview was left, with its filters. What they do not show, as a link may lead
 * anywhere, is among `all`.
 */
export function placeInOrder(
  shown: readonly number[],
  all: () => readonly number[],
  place: number,
): PlaceInOrder {
  const order = shown.includes(place) ? shown : all();
  const found = order.indexOf(place);
  return {
    before: order[found - 1],
    after: order[found + 1],
    number: found + 1,
    of: order.length,
  };
}
