import { plural } from '../../base/text.js';
import { leastJudged } from './level.js';
import type { ResultsDiff, TaskDiff } from './results-diff.js';

/** What would make a clear answer out of one that is not. */
export function nextSteps({ tasks, total }: ResultsDiff): string[] {
  return [...sameJudging(tasks), ...moreOfTasks(tasks), ...moreOfSuite(total)];
}

function sameJudging(tasks: readonly TaskDiff[]): string[] {
  const edited = tasks.filter(({ judging }) => judging.length > 0);
  if (edited.length === 0) return [];
  const isByAssertions = edited.every(({ judging }) =>
    judging.every(({ part }) => part === 'assertion'),
  );
  const how = isByAssertions
    ? 'judge the base by the assertions of today (recheck --out)'
    : 'run the base again with the tasks of today';
  return [`to compare what is judged differently, ${how}`];
}

function moreOfTasks(tasks: readonly TaskDiff[]): string[] {
  const open = tasks.filter(({ verdict }) => verdict === 'not enough data');
  const differing = open.filter(({ difference }) => difference !== 0);
  // Where nothing differs there is nothing to settle: only a few runs are missing to say so.
  const alike = open.filter(({ difference }) => difference === 0);
  return [
    ...moreRunsOf(differing, (count) => `would settle ${count} if the rates stay`),
    ...moreRunsOf(alike, (count) => `would do to say that nothing changed in ${count}`),
  ];
}

function moreRunsOf(open: readonly TaskDiff[], wouldDo: (count: string) => string): string[] {
  const more = open.flatMap(({ moreRuns }) => moreRuns ?? []);
  if (more.length === 0) return [];
  const least = more.reduce((a, b) => Math.min(a, b));
  const most = more.reduce((a, b) => Math.max(a, b));
  const range = least === most ? `${most}` : `${least} to ${most}`;
  const runs = `${range} more judged ${most === 1 ? 'run' : 'runs'} on each side`;
  return [`${tooFew(open)}${runs} ${wouldDo(plural(more.length, 'task'))} (check --runs N)`];
}

function tooFew(open: readonly TaskDiff[]): string {
  const { length } = open.filter(
    ({ base, current }) => Math.min(base.judged, current.judged) < leastJudged,
  );
  if (length === 0) return '';
  const have = `${plural(length, 'task')} ${length === 1 ? 'has' : 'have'}`;
  return `${have} fewer than ${leastJudged} judged runs on a side: `;
}

function moreOfSuite(total: ResultsDiff['total']): string[] {
  const { verdict, moreTasks, tasks, difference } = total;
  if (verdict !== 'not enough data' || moreTasks === null) return [];
  const have = `the whole rests on ${plural(tasks, 'task')}`;
  const isAlike = Math.abs(difference ?? 0) < 1e-9;
  const would = isAlike ? 'would do to say that nothing changed' : 'would settle it';
  return [`${have}: about ${moreTasks} more that both sides judge ${would}`];
}
