import type { TaskDiff } from './results-diff.js';

/** Worth a line of its own: it changed, or might have. All others are alike on both sides. */
export function isNoteworthy({ verdict, difference }: TaskDiff): boolean {
  return verdict !== 'no change' && difference !== 0;
}
