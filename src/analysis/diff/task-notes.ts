import { judgingInWords } from '../../results/judging.js';
import { few } from './few.js';
import type { FailureReason, TaskDiff } from './results-diff.js';

type Noted = Pick<TaskDiff, 'base' | 'current' | 'judging' | 'failures'>;

/** What the figures of a task do not say: what judges it differently, and why it fails. */
export function taskNotes(task: Noted): string[] {
  const { judging, failures } = task;
  const flip = flipOf(task);
  return [
    ...(judging.length > 0 ? [`judged differently: ${judgingInWords(judging)}`] : []),
    ...(flip === 'worse' ? [`passed then, fails now: ${reasonsText(failures.current)}`] : []),
    ...(flip === 'better' ? [`failed then (${reasonsText(failures.base)}), passes now`] : []),
    ...(hasOtherReasons(task)
      ? [
          `fails for another reason: then ${reasonsText(failures.base)}; now ${reasonsText(failures.current)}`,
        ]
      : []),
  ];
}

/** Every run of one side passed, and none of the other: the first that one wants to know. */
export function flipOf({
  base,
  current,
}: Pick<TaskDiff, 'base' | 'current'>): 'better' | 'worse' | null {
  if (base.judged === 0 || current.judged === 0) return null;
  if (base.passed === base.judged && current.passed === 0) return 'worse';
  return base.passed === 0 && current.passed === current.judged ? 'better' : null;
}

/** It fails on both sides, and not for the same reasons, however alike the rates are. */
export function hasOtherReasons({ failures: { base, current } }: Pick<TaskDiff, 'failures'>) {
  if (base.length === 0 || current.length === 0) return false;
  const before = new Set(base.map(({ reason }) => reason));
  return before.size !== current.length || current.some(({ reason }) => !before.has(reason));
}

function reasonsText(failures: readonly FailureReason[]): string {
  return few(failures.map(({ reason }) => reason));
}
