import type { TalliedContestant } from './contestants.js';
import type { LeftOutTask } from './variant-comparison.js';

export interface CommonTasks {
  /** In the order of their names, so that nothing depends on the order of files. */
  tasks: string[];
  leftOut: LeftOutTask[];
}

/** Only where all were judged, a rate says the same of each: one that did the easy tasks looks better. */
export function commonTasks(
  variants: readonly Pick<TalliedContestant, 'name' | 'tasks'>[],
): CommonTasks {
  const all = [...new Set(variants.flatMap(({ tasks }) => [...tasks.keys()]))].sort();
  const found: CommonTasks = { tasks: [], leftOut: [] };
  for (const task of all) {
    const missing = variants.filter(({ tasks }) => (tasks.get(task)?.judged ?? 0) === 0);
    if (missing.length === 0) found.tasks.push(task);
    else found.leftOut.push({ task, missing: missing.map(({ name }) => name).sort() });
  }
  return found;
}
