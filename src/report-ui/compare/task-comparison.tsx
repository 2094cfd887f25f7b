import { useState } from 'preact/hooks';
import type { TaskDiff } from '../../analysis/diff/results-diff.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { counted } from '../elements/amounts.js';
import { TaskDiffRow } from './task-diff-row.js';

interface TaskComparisonProps {
  index: ReportIndex;
  set: number;
  tasks: readonly TaskDiff[];
}

const shownAtOnce = 100;

/** Both pass rates of every task, those that changed first. */
export function TaskComparison({ index, set, tasks }: TaskComparisonProps) {
  const [limit, setLimit] = useState(shownAtOnce);
  return (
    <section class="panel task-comparison" aria-labelledby="task-comparison-title">
      <div class="panel-title">
        <h2 id="task-comparison-title">Pass rate of each task</h2>
        <span class="quiet legend">
          <span>
            <span class="side-sign base" aria-hidden="true" /> base
          </span>
          <span>
            <span class="side-sign current" aria-hidden="true" /> current
          </span>
          <span>lines are 95% intervals</span>
        </span>
      </div>
      {tasks.length === 0 && <p class="quiet nothing">The two have no task in common.</p>}
      {tasks.length > 0 && (
        <div class="task-diff-line scale quiet" aria-hidden="true">
          <span />
          <span class="dumbbell-scale">
            <span>0%</span>
            <span>50%</span>
            <span>100%</span>
          </span>
          <span class="task-diff-rates">passed of judged</span>
          <span class="task-diff-points">points</span>
        </div>
      )}
      <ul class="task-diffs">
        {tasks.slice(0, limit).map((task) => (
          <li key={task.task}>
            <TaskDiffRow index={index} set={set} diff={task} />
          </li>
        ))}
      </ul>
      {tasks.length > limit && (
        <button type="button" class="more" onClick={() => setLimit(limit + shownAtOnce)}>
          Show more of {counted(tasks.length, 'task')}
        </button>
      )}
    </section>
  );
}
