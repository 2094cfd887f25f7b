import type { TaskDiff } from './results-diff.js';
import { hasOtherReasons } from './task-notes.js';

/** Worth a line of its own: it changed, or might have. All others are alike on both sides. */
export function isNoteworthy(task: TaskDiff): boolean {
  const { verdict, difference, judging } = task;
  if (judging.length > 0 || hasOtherReasons(task)) return true;
  return verdict !== 'no change' && difference !== 0;
}
