import type { ReportIndex } from '../../report-data/report-data.js';
import { shortName } from '../elements/short-name.js';

/** `feed-pet, run 2`, and of a matrix `feed-pet, fast-agent, run 2`. */
export function nameOfRun(index: ReportIndex, place: number): string {
  const { tasks, sets, taskRuns, recorded } = index;
  const task = tasks[taskRuns.task[place] ?? -1]?.name ?? '';
  const variant = sets[taskRuns.set[place] ?? -1]?.variant ?? null;
  return [
    shortName(task),
    ...(variant === null ? [] : [shortName(variant)]),
    ...(recorded ? [] : [`run ${taskRuns.run[place]}`]),
  ].join(', ');
}
