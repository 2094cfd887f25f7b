import { type JudgingChange, judgingInWords } from '../../results/judging.js';
import { pairOf } from '../diff/pair-tasks.js';
import type { UnlikeJudging } from '../unlike-judging.js';
import type { TalliedContestant } from './contestants.js';
import type { LeftOutTask } from './variant-comparison.js';

export interface CommonTasks {
  /** In the order of their names, so that nothing depends on the order of files. */
  tasks: string[];
  leftOut: LeftOutTask[];
  /** Tasks that variants were judged by in different ways, and how they differ. */
  unlike: Pick<UnlikeJudging, 'task' | 'text'>[];
}

/**
 * Only where all were judged, and judged alike, a rate says the same of each: one that did the easy tasks,
 * or was asked for less, looks better.
 */
export function commonTasks(
  variants: readonly Pick<TalliedContestant, 'name' | 'tasks'>[],
): CommonTasks {
  const all = [...new Set(variants.flatMap(({ tasks }) => [...tasks.keys()]))].sort();
  const found: CommonTasks = { tasks: [], leftOut: [], unlike: [] };
  for (const task of all) {
    const missing = variants.filter(({ tasks }) => (tasks.get(task)?.judged ?? 0) === 0);
    const changes = missing.length === 0 ? judgingChanges(variants, task) : [];
    if (missing.length > 0) {
      found.leftOut.push({ task, missing: missing.map(({ name }) => name).sort() });
    } else if (changes.length > 0) found.unlike.push({ task, text: judgingInWords(changes) });
    else found.tasks.push(task);
  }
  return found;
}

/** By the names of variants, so that nothing depends on the order of files. */
function judgingChanges(
  variants: readonly Pick<TalliedContestant, 'name' | 'tasks'>[],
  task: string,
): JudgingChange[] {
  const inOrder = variants.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [first, ...others] = inOrder.flatMap(({ tasks }) => tasks.get(task) ?? []);
  const changes = others.flatMap((other) => (first ? pairOf(first, other).judging : []));
  return [...new Map(changes.map((change) => [change.text, change])).values()];
}
