import type { ReportIndex } from '../../report-data/report-data.js';
import { encoded, formatHash } from './hash.js';

type LinkedIndex = Pick<ReportIndex, 'tasks' | 'taskRuns'>;

interface RunKeys {
  /** By place in the columns. */
  keys: string[];
  places: Map<string, number>;
}

const known = new WeakMap<LinkedIndex, RunKeys>();

/** Link to a task run, given its place in the columns of `index.taskRuns`. */
export function runLink(index: LinkedIndex, place: number, query?: URLSearchParams): string {
  return formatHash(`run/${keysOf(index).keys[place] ?? ''}`, query);
}

/** Where in the columns the task run is that an address names. */
export function placeOfRun(index: LinkedIndex, parts: readonly string[]): number | undefined {
  return keysOf(index).places.get(parts.map(encoded).join('/'));
}

/** The same by the names that analyses use. Undefined: the report does not have it. */
export function placeOfNamedRun(
  index: LinkedIndex,
  set: number,
  task: string,
  run: number,
): number | undefined {
  return placeOfRun(index, [String(set), task, String(run)]);
}

/** `<set>/<task>/<run>`; pooled files can have several of that name, which `/2` and so on follows. */
function keysOf(index: LinkedIndex): RunKeys {
  const before = known.get(index);
  if (before) return before;
  const { set, task, run } = index.taskRuns;
  const tasks = index.tasks.map(({ name }) => encoded(name));
  const places = new Map<string, number>();
  const timesUsed = new Map<string, number>();
  const keys = set.map((setNumber, place) => {
    const name = `${setNumber}/${tasks[task[place] ?? -1] ?? ''}/${run[place]}`;
    const times = (timesUsed.get(name) ?? 0) + 1;
    timesUsed.set(name, times);
    const key = times === 1 ? name : `${name}/${times}`;
    places.set(key, place);
    return key;
  });
  const made = { keys, places };
  known.set(index, made);
  return made;
}
