import type { TaskDiff } from '../../analysis/diff/results-diff.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { counted, percentText, unknownAmount } from '../elements/amounts.js';
import { Arrow } from '../elements/arrow.js';
import { Fold } from '../elements/fold.js';
import { shortName } from '../elements/short-name.js';
import { amountChanges } from './amount-changes.js';
import { points } from './compare-headline.js';
import { Dumbbell } from './dumbbell.js';
import { NotPassedRuns } from './not-passed-runs.js';
import { intervalText, leftOutText, pText } from './rate-words.js';
import { VerdictBadge } from './verdict-sign.js';

interface TaskDiffRowProps {
  index: ReportIndex;
  base: number;
  /** The current one. */
  set: number;
  diff: TaskDiff;
}

interface FoldedRowProps extends TaskDiffRowProps {
  openAtFirst: boolean;
  onFold: (open: boolean) => void;
}

/** A task on both sides in one line, and what it rests on behind a click. */
export function TaskDiffRow({ openAtFirst, onFold, ...row }: FoldedRowProps) {
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
        <bdi>{shortName(task)}</bdi>
        {renamedFrom !== null && <span class="quiet"> was {shortName(renamedFrom)}</span>}
      </span>
      <Dumbbell base={base} current={current} verdict={verdict} />
      <span class="task-diff-rates">
        {base.passed}/{base.judged} <Arrow /> {current.passed}/{current.judged}
      </span>
      <span class="task-diff-points">
        {difference === null ? unknownAmount : points(difference)}
      </span>
      <span class="task-diff-verdict">
        <VerdictBadge verdict={verdict} />
        {moreRuns !== null && (
          <span class="quiet small">{counted(moreRuns, 'more run')} a side would tell</span>
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
          {name}: {side.passed} of {side.judged} judged runs passed, {percentText(side.rate)}
          <span class="quiet">
            {side.rate !== null && intervalText(side)}
            {leftOutText(side) !== '' && `; ${leftOutText(side)}`}
          </span>
        </p>
      ))}
      <p class="quiet">{testInWords(diff)}</p>
      <NotPassedRuns index={index} set={base} task={diff.renamedFrom ?? diff.task} />
      <NotPassedRuns index={index} set={set} task={diff.task} />
      <dl>
        {amountChanges(diff.base.amounts, current.amounts).map((amount) => (
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

function testInWords({ pValue, adjusted }: TaskDiff): string {
  if (pValue === null) return 'Too few judged runs for a test.';
  const test = `Fisher's exact test: ${pText(pValue)}`;
  return adjusted === null ? `${test}.` : `${test}, ${pText(adjusted)} by Holm's correction.`;
}
