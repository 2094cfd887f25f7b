import type { ReportIndex, ReportSet } from '../../report-data/report-data.js';
import { formatName } from '../elements/text.js';

export type Page = 'overview' | 'run' | 'tools' | 'compare' | 'unknown';

/** The page and its state, as in the part of the address after `#`. */
export interface Route {
  page: Page;
  /** For a task run: the rest of the path, which names it. */
  parts: string[];
  query: URLSearchParams;
}

export function parseHash(hash: string): Route {
  const [path = '', ...rest] = hash.replace(/^#/, '').split('?');
  const [name = '', ...parts] = path.replace(/^\//, '').split('/').map(decodePart);
  return { page: findPage(name, parts), parts, query: new URLSearchParams(rest.join('?')) };
}

export function formatHash(path: string, query?: URLSearchParams): string {
  const text = query?.toString() ?? '';
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

/** Encodes a name for an address. Names can hold half a surrogate pair, which cannot be encoded. */
export function encodeName(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function findPage(name: string, parts: string[]): Page {
  if (name === '') return 'overview';
  if (name === 'run' && parts.length >= 3) return 'run';
  return name === 'tools' || name === 'compare' ? name : 'unknown';
}

type IndexOfSets = Pick<ReportIndex, 'sources' | 'sets'>;

/** Query parameters that name a set: by its source, and by the variant of its matrix. */
export function formatSetQuery(
  { sources, sets }: IndexOfSets,
  place: number,
): Record<string, string> {
  const { source = 0, variant = null } = sets[place] ?? {};
  return {
    ...(sources.length > 1 && { set: String(source) }),
    ...(variant !== null && { variant }),
  };
}

/** Place of the set that a query names; the first one if it names none. */
export function findQueriedSet({ sets }: IndexOfSets, query: URLSearchParams): number {
  const source = Number(query.get('set'));
  const variant = query.get('variant');
  const place = sets.findIndex(
    (set) => set.source === source && (variant === null || set.variant === variant),
  );
  return Math.max(place, 0);
}

type LinkedIndex = Pick<ReportIndex, 'tasks' | 'taskRuns'> & {
  sets: readonly Pick<ReportSet, 'source' | 'variant'>[];
};

interface RunKeys {
  /** Key of each task run, by its place in the columns of `index.taskRuns`. */
  keys: string[];
  places: Map<string, number>;
}

const known = new WeakMap<LinkedIndex, RunKeys>();

/** Link to a task run, given its place in the columns of `index.taskRuns`. */
export function formatRunLink(index: LinkedIndex, place: number, query?: URLSearchParams): string {
  return formatHash(`run/${findRunKeys(index).keys[place] ?? ''}`, query);
}

/** The place of the task run that an address names; undefined: the report does not have it. */
export function findRun(index: LinkedIndex, parts: readonly string[]): number | undefined {
  return findRunKeys(index).places.get(parts.map(encodeName).join('/'));
}

/** The place of the task run that an analysis names; undefined: the report does not have it. */
export function findNamedRun(
  index: LinkedIndex,
  set: number,
  task: string,
  run: number,
): number | undefined {
  return findRunKeys(index).places.get(formatRunPath(index, set, encodeName(task), run));
}

/** Places of the same run of the same task by every variant, in the order of the matrix. */
export function findSameRunOfVariants(index: LinkedIndex, place: number): number[] {
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

/** Writes `<source>/<task>/<variant>/<run>`, without a matrix `<source>/<task>/<run>`. */
function formatRunPath(
  { sets }: LinkedIndex,
  set: number,
  encodedTask: string,
  run: number,
): string {
  const { source, variant = null } = sets[set] ?? {};
  const parts = [source, encodedTask, ...(variant === null ? [] : [encodeName(variant)]), run];
  return parts.join('/');
}

/**
 * Keys of all task runs, made once. Pooled files can have a path several times: `/2`, `/3` ...
 * follow.
 */
function findRunKeys(index: LinkedIndex): RunKeys {
  const before = known.get(index);
  if (before) return before;
  const { set, task, run } = index.taskRuns;
  const tasks = index.tasks.map(({ name }) => encodeName(name));
  const places = new Map<string, number>();
  const timesUsed = new Map<string, number>();
  const keys = set.map((setNumber, place) => {
    const name = formatRunPath(index, setNumber, tasks[task[place] ?? -1] ?? '', run[place] ?? 0);
    let times = (timesUsed.get(name) ?? 0) + 1;
    // A variant can be called `2`, so that a path looks like the second one of another.
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

/** Writes `feed-pet, run 2`, with a matrix `feed-pet, fast-agent, run 2`. */
export function formatRunName(index: ReportIndex, place: number): string {
  const { tasks, sets, taskRuns, recorded } = index;
  const task = tasks[taskRuns.task[place] ?? -1]?.name ?? '';
  const variant = sets[taskRuns.set[place] ?? -1]?.variant ?? null;
  return [
    formatName(task),
    ...(variant === null ? [] : [formatName(variant)]),
    ...(recorded ? [] : [`run ${taskRuns.run[place]}`]),
  ].join(', ');
}

/** The task runs before and after one in the order of the overview. */
interface RunNeighbours {
  before: number | undefined;
  after: number | undefined;
  /** Position of the task run in that order, from 1. */
  position: number;
  total: number;
}

/**
 * Finds the task runs before and after one. `shown` are those that the filters of the overview
 * show. A link can lead to one that they do not: its neighbours are among `all`.
 */
export function findNeighbours(
  shown: readonly number[],
  all: () => readonly number[],
  place: number,
): RunNeighbours {
  const order = shown.includes(place) ? shown : all();
  const found = order.indexOf(place);
  return {
    before: order[found - 1],
    after: order[found + 1],
    position: found + 1,
    total: order.length,
  };
}
