import { plural } from '../../config/plural.js';
import { leastJudged } from './level.js';
import type { ResultsDiff, TaskDiff } from './results-diff.js';

/** What would make a clear answer out of one that is not. */
export function nextSteps({ tasks, total }: ResultsDiff): string[] {
  return [...moreOfTasks(tasks), ...moreOfSuite(total)];
}

function moreOfTasks(tasks: readonly TaskDiff[]): string[] {
  const open = tasks.filter(({ verdict }) => verdict === 'not enough data');
  const more = open.flatMap(({ moreRuns }) => moreRuns ?? []);
  if (more.length === 0) return [];
  const least = more.reduce((a, b) => Math.min(a, b));
  const most = more.reduce((a, b) => Math.max(a, b));
  const range = least === most ? `${most}` : `${least} to ${most}`;
  const runs = `${range} more judged ${most === 1 ? 'run' : 'runs'} on each side`;
  const settle = `would settle ${plural(more.length, 'task')} if the rates stay (check --runs N)`;
  return [`${tooFew(open)}${runs} ${settle}`];
}

function tooFew(open: readonly TaskDiff[]): string {
  const { length } = open.filter(
    ({ base, current }) => Math.min(base.judged, current.judged) < leastJudged,
  );
  if (length === 0) return '';
  const have = `${plural(length, 'task')} ${length === 1 ? 'has' : 'have'}`;
  return `${have} fewer than ${leastJudged} judged runs on a side: `;
}

function moreOfSuite({ verdict, moreTasks, tasks }: ResultsDiff['total']): string[] {
  if (verdict !== 'not enough data' || moreTasks === null) return [];
  const have = `the whole rests on ${plural(tasks, 'task')}`;
  return [`${have}: about ${moreTasks} more that both sides judge would settle it`];
}
