import { taskRunKey, taskRunOfKey } from '../../events/task-run-key.js';
import type { PreviousRun } from '../../run/resume/previous-run.js';
import type { Work } from '../../run/schedule/scheduler.js';
import type { QueueRun } from '../queue-run.js';
import { itemsOf, itemText } from '../task-run-items.js';
import type { HandedOverWork } from './handed-over-run.js';

/** Everything that is to do, where no end of a task run decides about others. */
export function plannedItems(
  work: Work,
  run: QueueRun,
): Pick<HandedOverWork, 'sequence' | 'parallel'> {
  return { sequence: lane(work, run, false), parallel: lane(work, run, true) };
}

function lane(work: Work, run: QueueRun, isParallel: boolean): string[] {
  const itemFor = itemsOf(run);
  const items: string[] = [];
  for (let next = work.next(isParallel); next; next = work.next(isParallel)) {
    work.begin(next);
    items.push(itemFor(next));
  }
  return items;
}

/**
 * What was begun before the run was resumed. A worker cleans up after those that did not end, and counts
 * on from there. `redact` makes names as the journal has them.
 */
export function earlierAttempts(
  { attempts, interrupted, finished }: PreviousRun,
  { tasks, variants }: QueueRun,
  redact: (text: string) => string,
): HandedOverWork['before'] {
  const taskAt = new Map(tasks.map((name, index) => [redact(name), index]));
  const variantAt = new Map(variants.map((name, index) => [redact(name), index]));
  const open = new Map(interrupted.map((each) => [taskRunKey(each.started), each]));
  return [...attempts].flatMap(([key, number]) => {
    if (finished.has(key)) return [];
    const { task, variant, run } = taskRunOfKey(key);
    const at = taskAt.get(task);
    // With --force, the suite may have lost it.
    if (at === undefined) return [];
    const item = itemText({ task: at, variant: variantAt.get(variant ?? '') ?? 0, run });
    const left = open.get(key);
    if (!left) return [{ item, number }];
    const { seqs, ...known } = left;
    return [{ item, number, left: { text: JSON.stringify(known), told: seqs.length } }];
  });
}
