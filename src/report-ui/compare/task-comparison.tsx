import { useState } from 'preact/hooks';
import type { TaskDiff } from '../../analysis/diff/results-diff.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { counted } from '../elements/amounts.js';
import { usePrinting } from '../elements/use-printing.js';
import { TaskDiffRow } from './task-diff-row.js';
import { useUnfoldedTasks } from './use-unfolded-tasks.js';

interface TaskComparisonProps {
  index: ReportIndex;
  base: number;
  set: number;
  tasks: readonly TaskDiff[];
}

const shownAtOnce = 100;

/** Both pass rates of every task, those that changed first. */
export function TaskComparison({ index, base, set, tasks }: TaskComparisonProps) {
  const [limit, setLimit] = useState(shownAtOnce);
  const printing = usePrinting();
  const { isUnfolded, onFold } = useUnfoldedTasks();
  const shown = printing ? tasks : tasks.slice(0, limit);
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
        {shown.map((task) => (
          <li key={task.task}>
            <TaskDiffRow
              index={index}
              base={base}
              set={set}
              diff={task}
              openAtFirst={isUnfolded(task.task)}
              onFold={(open) => onFold(task.task, open)}
            />
          </li>
        ))}
      </ul>
      {tasks.length > shown.length && (
        <button type="button" class="more" onClick={() => setLimit(limit + shownAtOnce)}>
          Show more of {counted(tasks.length, 'task')}
        </button>
      )}
    </section>
  );
}
