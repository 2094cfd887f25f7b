import { durationText, percentText, shortCount } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import type { Range } from '../elements/visible-range.js';
import { runLink } from '../routing/run-links.js';
import { IntervalBar } from './interval-bar.js';
import type { CellPlace } from './matrix-moves.js';
import type { Searchable } from './searchable.js';
import type { TaskRow } from './task-rows.js';
import type { TaskOrder } from './view.js';

interface MatrixRowProps {
  searchable: Searchable;
  task: TaskRow;
  /** The row above is of the same task. */
  goesOn: boolean;
  order: TaskOrder;
  row: number;
  columns: Range;
  /** The column that is the stop of the tab key, if it is in this row. */
  stop: number | undefined;
  onFocus: (place: CellPlace) => void;
}

export function MatrixRow(props: MatrixRowProps) {
  const { searchable, task, goesOn, order, row, columns, stop, onFocus } = props;
  const { index } = searchable;
  const name = shortName(index.tasks[task.task]?.name ?? '');
  const set = index.sets.length > 1 ? index.sets[task.set]?.name : undefined;
  return (
    <tr
      class={`matrix-row ${set !== undefined && !goesOn ? 'begins' : ''}`}
      aria-rowindex={row + 2}
    >
      <th class="matrix-head" scope="row" aria-colindex={1} title={`${name}: ${rateText(task)}`}>
        <span class="matrix-name">
          <bdi class={goesOn ? 'off-screen' : ''}>{name}</bdi>
        </span>
        {set !== undefined && (
          <span class="matrix-set" title={set}>
            <bdi>{set}</bdi>
          </span>
        )}
        <span class="matrix-flaky">{task.flaky && <span class="flaky">flaky</span>}</span>
        <span class="matrix-rate">
          <span>{percentText(task.rate)}</span>
          <IntervalBar rate={task.rate} low={task.low} high={task.high} />
          <span class="matrix-amount">{amountText(task, order)}</span>
        </span>
      </th>
      {Array.from(task.cells.slice(columns.start, columns.end), (place, offset) => {
        const column = columns.start + offset;
        return (
          <td key={column} class="cell-place" aria-colindex={column + 2}>
            {place !== undefined && (
              <RunCell
                searchable={searchable}
                place={place}
                at={{ row, column }}
                isStop={column === stop}
                onFocus={onFocus}
              />
            )}
          </td>
        );
      })}
    </tr>
  );
}

interface RunCellProps {
  searchable: Searchable;
  place: number;
  at: CellPlace;
  isStop: boolean;
  onFocus: (place: CellPlace) => void;
}

function RunCell({ searchable: { index }, place, at, isStop, onFocus }: RunCellProps) {
  const { outcome: outcomes, run, durationMs } = index.taskRuns;
  const outcome = outcomes[place] ?? 'error';
  const label = `run ${run[place]}: ${outcome}`;
  return (
    <a
      class={`cell ${outcome}`}
      href={runLink(index, place)}
      tabIndex={isStop ? 0 : -1}
      data-cell={`${at.row}/${at.column}`}
      aria-label={label}
      title={`${label}, ${durationText(durationMs[place] ?? null)}`}
      onFocus={() => onFocus(at)}
    >
      <OutcomeSign outcome={outcome} />
    </a>
  );
}

/** What the tasks are sorted by, if it is not seen anyway. */
function amountText(task: TaskRow, order: TaskOrder): string {
  if (order === 'duration') return durationText(task.duration);
  if (order === 'tokens') return shortCount(task.tokens);
  return `${task.passed} of ${task.judged}`;
}

function rateText({ passed, judged, low, high }: TaskRow): string {
  if (judged === 0) return 'nothing was judged';
  return `${passed} of ${judged} judged passed, 95% interval ${percentText(low)} to ${percentText(high)}`;
}
