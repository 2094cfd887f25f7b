import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import { formatCost, formatCount, formatDuration, formatShortCount } from '../elements/amounts.js';
import { OutcomeBadge, SortHeading, SortMark } from '../elements/graphics.js';
import { useMedia } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { useVirtualTable } from '../elements/virtual-table.js';
import { formatRunLink } from '../routing/hash.js';
import { focusWhenRendered, useKeys } from '../shell/keyboard.js';
import {
  chooseColumns,
  findSet,
  formatColumnWidths,
  getColumnTitle,
  runColumns,
} from './run-columns.js';
import { type Searchable, sumTokens } from './searchable.js';
import type { Column, View } from './view.js';

interface RunListProps {
  searchable: Searchable;
  /** Places in the columns of `index.taskRuns`, in the order of the list. */
  rows: readonly number[];
  sort: View['sort'];
  onSort: (sort: View['sort']) => void;
}

/** Heights of a row, as in the styles. */
const wideRow = 36;
const narrowRow = 88;
const printedRows = 300;
/** So few rows are all rendered: the browser's own search finds them. */
const alwaysRendered = 200;

export function RunList({ searchable, rows, sort, onSort }: RunListProps) {
  const rowHeight = useMedia('(max-width: 1000px)') ? narrowRow : wideRow;
  const list = useRef<HTMLTableElement>(null);
  useListKeys(list, rows.length, rowHeight);
  const columns = chooseColumns(searchable);
  const unit = getUsageUnit(searchable.index);
  return (
    <section class="panel runs" aria-labelledby="runs-title">
      <div class="panel-title">
        <h2 id="runs-title">{searchable.index.recorded ? 'Sessions' : 'Task runs'}</h2>
        <span class="quiet">{formatCount(rows.length)}</span>
        <SortSelect index={searchable.index} columns={columns} sort={sort} onSort={onSort} />
      </div>
      {rows.length === 0 ? (
        <p class="nothing">
          {searchable.count === 0
            ? `there are no ${unit}s`
            : `no ${unit} matches: clear a filter to see more`}
        </p>
      ) : (
        <table
          class="run-list"
          style={{ '--columns': formatColumnWidths(columns) }}
          aria-labelledby="runs-title"
          aria-rowcount={rows.length + 1}
          ref={list}
        >
          <SortHeaders index={searchable.index} columns={columns} sort={sort} onSort={onSort} />
          <RunListBody
            searchable={searchable}
            columns={columns}
            rows={rows}
            rowHeight={rowHeight}
          />
        </table>
      )}
      {rows.length > printedRows && (
        <p class="print-only nothing">
          {`the first ${printedRows} of ${formatCount(rows.length)}; open the report to see all`}
        </p>
      )}
    </section>
  );
}

interface RunListBodyProps {
  searchable: Searchable;
  columns: readonly Column[];
  rows: readonly number[];
  rowHeight: number;
}

/** The rows of the list. Of many, only those that can be seen are rendered. */
function RunListBody({ searchable, columns, rows, rowHeight }: RunListBodyProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const rendered = useVirtualTable(body, {
    rows: { count: rows.length, size: rowHeight, overscan: 6, printed: printedRows },
    alwaysRendered,
  });
  const { start, end } = rendered.rows;
  return (
    <tbody
      class="virtual-rows"
      ref={body}
      style={{ '--height': `${rows.length * rowHeight}px`, '--before': `${start * rowHeight}px` }}
    >
      {rows.slice(start, end).map((place, offset) => (
        <RunListRow
          key={place}
          searchable={searchable}
          columns={columns}
          place={place}
          row={start + offset}
        />
      ))}
    </tbody>
  );
}

interface RunListRowProps {
  searchable: Searchable;
  columns: readonly Column[];
  /** Index into the columns of `index.taskRuns`. */
  place: number;
  /** Number of the row in the list, from 0. */
  row: number;
}

function RunListRow({ searchable, columns, place, row }: RunListRowProps) {
  const { index } = searchable;
  const task = formatName(index.tasks[index.taskRuns.task[place] ?? -1]?.name ?? '');
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
            <a href={formatRunLink(index, place)}>
              <bdi>{task}</bdi>
            </a>
          </th>
        ) : (
          <td key={column} class={`of-${column}`}>
            {cells[column](searchable, place)}
          </td>
        ),
      )}
    </tr>
  );
}

/** What a cell shows. `cell-name` is for narrow screens, which have no headings of columns. */
const cells: Record<
  Exclude<Column, 'task'>,
  (searchable: Searchable, row: number) => ComponentChildren
> = {
  outcome: ({ index }, row) => <OutcomeBadge outcome={index.taskRuns.outcome[row] ?? 'error'} />,
  variant: (searchable, row) => {
    const { variant = null } = findSet(searchable, row) ?? {};
    return <span title={variant ?? ''}>{variant}</span>;
  },
  run: ({ index }, row) => (
    <>
      <span class="cell-name">run </span>
      {index.taskRuns.run[row]}
    </>
  ),
  source: (searchable, row) => searchable.index.sources[findSet(searchable, row)?.source ?? -1],
  message: ({ index }, row) => {
    const message = index.taskRuns.message[row] ?? '';
    return <span title={message}>{message}</span>;
  },
  duration: ({ index }, row) => formatDuration(index.taskRuns.durationMs[row] ?? null),
  calls: ({ index: { taskRuns } }, row) => {
    const errors = taskRuns.callErrors[row] ?? 0;
    return (
      <>
        {taskRuns.calls[row]}
        <span class="cell-name">{taskRuns.calls[row] === 1 ? ' call' : ' calls'}</span>
        {errors > 0 && <span class="call-errors">{errors} failed</span>}
      </>
    );
  },
  tokens: (searchable, row) => (
    <>
      {formatShortCount(sumTokens(searchable, row))}
      <span class="cell-name"> tokens</span>
    </>
  ),
  cost: ({ index }, row) => formatCost(index.taskRuns.cost[row] ?? null),
};

interface SortProps {
  index: Searchable['index'];
  columns: readonly Column[];
  sort: View['sort'];
  onSort: (sort: View['sort']) => void;
}

function SortHeaders({ index, columns, sort, onSort }: SortProps) {
  return (
    <thead class="run-header">
      <tr class="run-row" aria-rowindex={1}>
        {columns.map((column) => (
          <SortHeading
            key={column}
            title={getColumnTitle(column, index)}
            class={`of-${column}`}
            descending={column === sort.column ? sort.descending : undefined}
            isLargestFirst={runColumns[column].isLargestFirst ?? false}
            onSort={(descending) => onSort({ column, descending })}
          />
        ))}
      </tr>
    </thead>
  );
}

/** Sorting on screens that are too narrow for column headers. */
function SortSelect({ index, columns, sort, onSort }: SortProps) {
  return (
    <div class="sort-select">
      <select
        aria-label="sort by"
        onChange={({ currentTarget }) => {
          const column = columns[currentTarget.selectedIndex];
          if (column) onSort({ column, descending: runColumns[column].isLargestFirst ?? false });
        }}
      >
        {columns.map((column) => (
          <option key={column} selected={column === sort.column}>
            by {getColumnTitle(column, index)}
          </option>
        ))}
      </select>
      <button
        type="button"
        aria-label={sort.descending ? 'sort ascending' : 'sort descending'}
        onClick={() => onSort({ ...sort, descending: !sort.descending })}
      >
        <SortMark descending={sort.descending} />
      </button>
    </div>
  );
}

/**
 * Moves the focus through the list by j and k, and by arrows once it is in the list. The row to go
 * to may not be rendered yet.
 */
function useListKeys(list: RefObject<HTMLElement | null>, count: number, rowHeight: number): void {
  const move = (target: (from: number | undefined) => number) => () => {
    const element = list.current;
    if (!element || count === 0) return false;
    const row = Math.min(Math.max(target(findFocusedRow(element)), 0), count - 1);
    const find = () => element.querySelector<HTMLElement>(`[data-row="${row}"] a`);
    const top = element.getBoundingClientRect().top + scrollY;
    if (!find()) scrollTo(0, top + row * rowHeight - innerHeight / 2);
    focusWhenRendered(find);
  };
  const step = (distance: number) =>
    move((from) =>
      from === undefined ? findFirstVisibleRow(list.current, rowHeight) : from + distance,
    );
  const inList = (action: () => unknown) => () =>
    list.current && findFocusedRow(list.current) !== undefined ? action() : false;

  useKeys({
    j: step(1),
    k: step(-1),
    ArrowDown: inList(step(1)),
    ArrowUp: inList(step(-1)),
    Home: inList(move(() => 0)),
    End: inList(move(() => count - 1)),
  });
}

function findFocusedRow(list: HTMLElement): number | undefined {
  const row = document.activeElement?.closest('[data-row]');
  return row && list.contains(row) ? Number(row.getAttribute('data-row')) : undefined;
}

/** The row at the top of the window, so that j continues from what is being read. */
function findFirstVisibleRow(list: HTMLElement | null, rowHeight: number): number {
  const top = list?.querySelector('.virtual-rows')?.getBoundingClientRect().top ?? 0;
  return Math.max(Math.ceil(-top / rowHeight), 0);
}
