import type { ResultsDiff } from './results-diff.js';

export type FailOn = 'regression' | 'any-drop' | 'never';

/** Whether a comparison is one to stop for. */
export function isStopped({ total, tasks }: ResultsDiff, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  const all = [total, ...tasks];
  return failOn === 'regression'
    ? all.some(({ verdict }) => verdict === 'regression')
    : all.some(({ difference }) => difference !== null && difference < 0);
}
