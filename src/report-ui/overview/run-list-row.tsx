import { costText, durationText, shortCount } from '../elements/amounts.js';
import { OutcomeBadge } from '../elements/outcome-badge.js';
import { shortName } from '../elements/short-name.js';
import { runLink } from '../routing/run-links.js';
import type { Searchable } from './searchable.js';
import { tokensOf } from './sorted-rows.js';
import type { Column } from './view.js';

interface RunListRowProps {
  searchable: Searchable;
  columns: readonly Column[];
  /** In the columns of the report. */
  place: number;
  /** In the list. */
  row: number;
  linkRef: (row: number, link: HTMLAnchorElement | null) => void;
}

export function RunListRow({ searchable, columns, place, row, linkRef }: RunListRowProps) {
  const { index } = searchable;
  const task = shortName(index.tasks[index.taskRuns.task[place] ?? -1]?.name ?? '');
  const hasMessage = (index.taskRuns.message[place] ?? '') !== '';
  return (
    <tr
      class={`run-row ${hasMessage ? '' : 'without-message'}`}
      aria-rowindex={row + 2}
      data-row={row}
    >
      {columns.map((column) =>
        column === 'task' ? (
          <th key={column} class="of-task" scope="row" title={task}>
            <a href={runLink(index, place)} ref={(link) => linkRef(row, link)}>
              <bdi>{task}</bdi>
            </a>
          </th>
        ) : (
          <td key={column} class={`of-${column}`}>
            <CellContent searchable={searchable} column={column} place={place} />
          </td>
        ),
      )}
    </tr>
  );
}

interface CellContentProps {
  searchable: Searchable;
  column: Exclude<Column, 'task'>;
  place: number;
}

/** What stands in `cell-name` is said by the column's header where there is one. */
function CellContent({ searchable, column, place }: CellContentProps) {
  const { taskRuns, sets, sources } = searchable.index;
  const set = sets[taskRuns.set[place] ?? -1];
  const errors = taskRuns.callErrors[place] ?? 0;
  const message = taskRuns.message[place] ?? '';
  switch (column) {
    case 'outcome':
      return <OutcomeBadge outcome={taskRuns.outcome[place] ?? 'error'} />;
    case 'run':
      return (
        <>
          <span class="cell-name">run </span>
          {taskRuns.run[place]}
        </>
      );
    case 'variant':
      return <span title={set?.variant ?? ''}>{set?.variant}</span>;
    case 'source':
      return <>{sources[set?.source ?? -1]}</>;
    case 'message':
      return <span title={message}>{message}</span>;
    case 'duration':
      return <>{durationText(taskRuns.durationMs[place] ?? null)}</>;
    case 'calls':
      return (
        <>
          {taskRuns.calls[place]}
          <span class="cell-name">{taskRuns.calls[place] === 1 ? ' call' : ' calls'}</span>
          {errors > 0 && <span class="call-errors">{errors} failed</span>}
        </>
      );
    case 'tokens':
      return (
        <>
          {shortCount(tokensOf(searchable, place))}
          <span class="cell-name"> tokens</span>
        </>
      );
    case 'cost':
      return <>{costText(taskRuns.cost[place] ?? null)}</>;
  }
}
