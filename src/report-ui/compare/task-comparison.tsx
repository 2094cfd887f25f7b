import { useState } from 'preact/hooks';
import type { TaskDiff } from '../../analysis/diff/results-diff.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount, formatPercent, formatPlural, unknownAmount } from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { Arrow, OutcomeSign } from '../elements/graphics.js';
import { usePrinting } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { formatHash, formatRunLink } from '../routing/hash.js';
import { getCurrentRoute, replaceHash, useRoute } from '../routing/navigation.js';
import { Dumbbell, VerdictBadge } from './comparison-graphics.js';
import {
  compareAmounts,
  formatInterval,
  formatLeftOut,
  formatPoints,
  formatPValue,
} from './comparison-text.js';

interface TaskComparisonProps {
  index: ReportIndex;
  base: number;
  set: number;
  tasks: readonly TaskDiff[];
}

const shownAtOnce = 100;

/** The pass rates of every task on both sides, those that changed first. */
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
      {tasks.length === 0 && <p class="quiet nothing">They have no tasks in common.</p>}
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
          Show more of {formatPlural(tasks.length, 'task')}
        </button>
      )}
    </section>
  );
}

interface TaskDiffRowProps {
  index: ReportIndex;
  base: number;
  /** Place of the current set; `base`: of the base. */
  set: number;
  diff: TaskDiff;
}

interface FoldedRowProps extends TaskDiffRowProps {
  openAtFirst: boolean;
  onFold: (open: boolean) => void;
}

/** A task on both sides in one line, with rates, test and amounts in a fold. */
function TaskDiffRow({ openAtFirst, onFold, ...row }: FoldedRowProps) {
  return (
    <Fold
      class="task-diff"
      summary={<TaskDiffLine diff={row.diff} />}
      openAtFirst={openAtFirst}
      onFold={onFold}
    >
      {() => <TaskDiffBody {...row} />}
    </Fold>
  );
}

function TaskDiffLine({ diff }: { diff: TaskDiff }) {
  const { task, renamedFrom, base, current, difference, verdict, moreRuns, notes } = diff;
  return (
    <span class="task-diff-line">
      <span class="task-diff-name fold-mark">
        <bdi>{formatName(task)}</bdi>
        {renamedFrom !== null && <span class="quiet"> was {formatName(renamedFrom)}</span>}
      </span>
      <Dumbbell base={base} current={current} verdict={verdict} />
      <span class="task-diff-rates">
        {base.passed}/{base.judged} <Arrow /> {current.passed}/{current.judged}
      </span>
      <span class="task-diff-points">
        {difference === null ? unknownAmount : formatPoints(difference)}
      </span>
      <span class="task-diff-verdict">
        <VerdictBadge verdict={verdict} />
        {moreRuns !== null && (
          <span class="quiet small">needs {formatPlural(moreRuns, 'more run')} on each side</span>
        )}
      </span>
      {notes.length > 0 && (
        <span class="task-diff-notes quiet small">
          {notes.map((note) => (
            <span key={note}>{note}</span>
          ))}
        </span>
      )}
    </span>
  );
}

function TaskDiffBody({ index, base, set, diff }: TaskDiffRowProps) {
  const { current } = diff;
  const sides = [
    { name: 'Base', side: diff.base },
    { name: 'Current', side: current },
  ];
  return (
    <>
      {sides.map(({ name, side }) => (
        <p key={name}>
          {name}: {side.passed} of {side.judged} judged runs passed, {formatPercent(side.rate)}
          <span class="quiet">
            {side.rate !== null && formatInterval(side)}
            {formatLeftOut(side) !== '' && `; ${formatLeftOut(side)}`}
          </span>
        </p>
      ))}
      <p class="quiet">{describeTest(diff)}</p>
      <NotPassedRuns index={index} set={base} task={diff.renamedFrom ?? diff.task} />
      <NotPassedRuns index={index} set={set} task={diff.task} />
      <dl>
        {compareAmounts(diff.base.amounts, current.amounts).map((amount) => (
          <div key={amount.name}>
            <dt>{amount.name}</dt>
            <dd>
              {amount.base} <Arrow /> {amount.current}
              {amount.change !== '' && <span class="quiet"> ({amount.change})</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function describeTest({ pValue, adjusted }: TaskDiff): string {
  if (pValue === null) return 'Too few judged runs for a test.';
  const test = `Fisher's exact test: ${formatPValue(pValue)}`;
  return adjusted === null
    ? `${test}.`
    : `${test}, ${formatPValue(adjusted)} by Holm's correction.`;
}

interface NotPassedRunsProps {
  index: ReportIndex;
  set: number;
  task: string;
}

const most = 12;

/** Links to the runs of a task that did not pass in a set. */
function NotPassedRuns({ index, set, task }: NotPassedRunsProps) {
  const { taskRuns, tasks, sets } = index;
  const places = taskRuns.task.flatMap((number, place) => {
    const isOfTask = taskRuns.set[place] === set && tasks[number]?.name === task;
    return isOfTask && taskRuns.outcome[place] !== 'passed' ? [place] : [];
  });
  // The report has task runs in the order in which they ended.
  places.sort((one, other) => (taskRuns.run[one] ?? 0) - (taskRuns.run[other] ?? 0));
  if (places.length === 0) return null;
  return (
    <p class="not-passed">
      <span class="quiet">did not pass in {formatName(sets[set]?.name ?? '')}:</span>
      {places.slice(0, most).map((place) => {
        const outcome = taskRuns.outcome[place] ?? 'error';
        return (
          <a key={place} href={formatRunLink(index, place)}>
            <OutcomeSign outcome={outcome} />
            run {taskRuns.run[place]} {outcome}
          </a>
        );
      })}
      {places.length > most && <span>and {formatCount(places.length - most)} more</span>}
    </p>
  );
}

/** The unfolded tasks, kept in the address so that a link shows the same. */
function useUnfoldedTasks() {
  const unfolded = new Set(useRoute().query.getAll('task'));
  const onFold = (task: string, open: boolean) => {
    const { query } = getCurrentRoute();
    const others = query.getAll('task').filter((name) => name !== task);
    query.delete('task');
    for (const name of open ? [...others, task] : others) query.append('task', name);
    replaceHash(formatHash('compare', query));
  };
  return { isUnfolded: (task: string) => unfolded.has(task), onFold };
}
