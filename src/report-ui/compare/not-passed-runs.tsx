import type { ReportIndex } from '../../report-data/report-data.js';
import { exactCount } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { runLink } from '../routing/run-links.js';

interface NotPassedRunsProps {
  index: ReportIndex;
  set: number;
  task: string;
}

const most = 12;

/** The way to what went wrong. */
export function NotPassedRuns({ index, set, task }: NotPassedRunsProps) {
  const { taskRuns, tasks, sets } = index;
  const places = taskRuns.task.flatMap((number, place) => {
    const isOfTask = taskRuns.set[place] === set && tasks[number]?.name === task;
    return isOfTask && taskRuns.outcome[place] !== 'passed' ? [place] : [];
  });
  // The report has them in the order in which they ended.
  places.sort((one, other) => (taskRuns.run[one] ?? 0) - (taskRuns.run[other] ?? 0));
  if (places.length === 0) return null;
  return (
    <p class="not-passed">
      <span class="quiet">did not pass in {shortName(sets[set]?.name ?? '')}:</span>
      {places.slice(0, most).map((place) => {
        const outcome = taskRuns.outcome[place] ?? 'error';
        return (
          <a key={place} href={runLink(index, place)}>
            <OutcomeSign outcome={outcome} />
            run {taskRuns.run[place]} {outcome}
          </a>
        );
      })}
      {places.length > most && <span>and {exactCount(places.length - most)} more</span>}
    </p>
  );
}
