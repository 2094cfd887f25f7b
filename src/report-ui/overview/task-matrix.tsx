import { useMemo, useRef } from 'preact/hooks';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatShortCount,
} from '../elements/amounts.js';
import { IntervalBar, OutcomeSign } from '../elements/graphics.js';
import { useMedia } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { type Range, useVirtualTable } from '../elements/virtual-table.js';
import { formatRunLink } from '../routing/hash.js';
import { focusWhenRendered } from '../shell/keyboard.js';
import type { Searchable } from './searchable.js';
import type { TaskRow } from './task-rows.js';
import { type TaskOrder, taskOrders } from './view.js';

interface TasksPanelProps {
  searchable: Searchable;
  tasks: readonly TaskRow[];
  order: TaskOrder;
  onOrder: (order: TaskOrder) => void;
}

const orderNames: Record<TaskOrder, string> = {
  rate: 'lowest pass rate first',
  name: 'by name',
  duration: 'longest first',
  tokens: 'most tokens first',
};

/** The panel of tasks: their pass rates with intervals, and each run in a matrix. */
export function TasksPanel({ searchable, tasks, order, onOrder }: TasksPanelProps) {
  const count = countTasks(tasks);
  const flaky = countTasks(tasks.filter((task) => task.flaky));
  return (
    <section class="panel tasks" aria-labelledby="tasks-title">
      <div class="panel-title">
        <h2 id="tasks-title">Tasks</h2>
        <span class="quiet">
          {formatCount(count)}
          {flaky > 0 && `, ${formatCount(flaky)} flaky`}, with 95% intervals and each run
        </span>
        <select
          class="order"
          aria-label="order of tasks"
          onChange={({ currentTarget }) => {
            const chosen = taskOrders[currentTarget.selectedIndex];
            if (chosen) onOrder(chosen);
          }}
        >
          {taskOrders.map((one) => (
            <option key={one} selected={one === order}>
              {orderNames[one]}
            </option>
          ))}
        </select>
      </div>
      {tasks.length > 0 ? (
        <TaskMatrix searchable={searchable} tasks={tasks} order={order} />
      ) : (
        <p class="nothing">no task runs shown</p>
      )}
      <PrintedNote rows={tasks.length} columns={searchable.mostTurns} />
    </section>
  );
}

/** Says on paper how much of the matrix is missing there. */
function PrintedNote(size: { rows: number; columns: number }) {
  const printed = findPrintedPart(size);
  const left = [
    ...(printed.rows < size.rows ? [`${printed.rows} of ${formatCount(size.rows)} rows`] : []),
    ...(printed.columns < size.columns
      ? [`${printed.columns} of ${formatCount(size.columns)} runs`]
      : []),
  ];
  if (left.length === 0) return null;
  return (
    <p class="print-only nothing">the first {left.join(' and ')}; open the report to see all</p>
  );
}

/** Counts tasks, which can have a row in every set. */
function countTasks(rows: readonly TaskRow[]): number {
  return new Set(rows.map(({ task }) => task)).size;
}

interface TaskMatrixProps {
  searchable: Searchable;
  tasks: readonly TaskRow[];
  order: TaskOrder;
}

/** So few cells are all rendered: the browser's own search finds every task. */
const alwaysRendered = 800;
/** With more cells than this on paper, a browser freezes over the pages. */
const mostPrintedCells = 4000;
const mostPrintedColumns = 400;
const mostPrintedRows = 300;
const fewestPrintedRows = 10;

const cellWidth = 22;
/** Sizes as in the styles; `headWidth` is the least width of the row header, left of the cells. */
const wide = { rowHeight: 28, headWidth: 480 };
const wideWithSets = { rowHeight: 28, headWidth: 640 };
const narrow = { rowHeight: 56, headWidth: 0 };

/**
 * A grid of tasks by runs. Only cells that can be seen are rendered, and one of them is the stop of
 * the tab key: arrows move from there.
 */
function TaskMatrix({ searchable, tasks, order }: TaskMatrixProps) {
  const { rowHeight, headWidth } = useMedia('(max-width: 640px)')
    ? narrow
    : searchable.index.sets.length > 1
      ? wideWithSets
      : wide;
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const columnCount = searchable.mostTurns;
  const printed = findPrintedPart({ rows: tasks.length, columns: columnCount });
  const { rows, columns } = useVirtualTable(body, {
    rows: { count: tasks.length, size: rowHeight, overscan: 2, printed: printed.rows },
    columns: {
      count: columnCount,
      size: cellWidth,
      offset: headWidth,
      overscan: 4,
      printed: printed.columns,
    },
    alwaysRendered,
  });
  const cells = useMemo(() => tasks.map((task) => task.cells), [tasks]);
  const tabStop = {
    row: rows.start,
    column: findNearestColumn(cells[rows.start] ?? [], columns.start),
  };

  return (
    <div class="matrix-box" data-scrolls ref={box}>
      <table
        class="matrix"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrows move in it
        role="grid"
        aria-label="tasks by runs"
        aria-rowcount={tasks.length + 1}
        aria-colcount={searchable.mostTurns + 1}
        style={{
          '--least-head': `${headWidth}px`,
          '--cells': `${searchable.mostTurns * cellWidth}px`,
          '--cells-before': `${columns.start * cellWidth}px`,
          '--height': `${tasks.length * rowHeight}px`,
          '--before': `${rows.start * rowHeight}px`,
        }}
        onKeyDown={(event) => moveInMatrix(event, box.current, { cells, cellWidth, rowHeight })}
      >
        <MatrixHeader setName={getSetColumnName(searchable)} columns={columns} order={order} />
        <tbody class="virtual-rows" ref={body}>
          {tasks.slice(rows.start, rows.end).map((task, offset) => (
            <MatrixRow
              key={`${task.set}/${task.task}`}
              searchable={searchable}
              task={task}
              goesOn={tasks[rows.start + offset - 1]?.task === task.task}
              order={order}
              row={rows.start + offset}
              columns={columns}
              tabStop={tabStop.row === rows.start + offset ? tabStop.column : undefined}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function getSetColumnName({ index, variants }: Searchable): string | undefined {
  if (index.sets.length < 2) return undefined;
  return variants.length > 0 && index.sources.length < 2 ? 'variant' : 'results';
}

const amountNames: Record<TaskOrder, string> = {
  rate: 'passed',
  name: 'passed',
  duration: 'mean',
  tokens: 'mean',
};

interface MatrixHeaderProps {
  /** Header of the column of sets; undefined: the report has one set. */
  setName: string | undefined;
  columns: Range;
  order: TaskOrder;
}

function MatrixHeader({ setName, columns, order }: MatrixHeaderProps) {
  return (
    <thead class="matrix-header">
      <tr class="matrix-row" aria-rowindex={1}>
        <th class="matrix-head" scope="col" aria-colindex={1}>
          <span class="matrix-name">task</span>
          {setName !== undefined && <span class="matrix-set">{setName}</span>}
          <span class="matrix-flaky" />
          <span class="matrix-rate">
            <span>pass rate</span>
            <span class="interval-axis" aria-hidden="true">
              <span>0</span>
              <span>50</span>
              <span>100%</span>
            </span>
            <span class="matrix-amount">{amountNames[order]}</span>
          </span>
        </th>
        {Array.from({ length: columns.end - columns.start }, (_, offset) => {
          const column = columns.start + offset;
          return (
            <th
              key={column}
              class="cell-place"
              scope="col"
              aria-colindex={column + 2}
              aria-label={`run ${column + 1}`}
            >
              {column + 1}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface MatrixRowProps {
  searchable: Searchable;
  task: TaskRow;
  /** Whether the row above is of the same task. */
  goesOn: boolean;
  order: TaskOrder;
  row: number;
  columns: Range;
  /** The column that is the stop of the tab key, if it is in this row. */
  tabStop: number | undefined;
}

function MatrixRow(props: MatrixRowProps) {
  const { searchable, task, goesOn, order, row, columns, tabStop } = props;
  const { index } = searchable;
  const name = formatName(index.tasks[task.task]?.name ?? '');
  const set = index.sets.length > 1 ? index.sets[task.set]?.name : undefined;
  return (
    <tr
      class={`matrix-row ${set !== undefined && !goesOn ? 'begins' : ''}`}
      aria-rowindex={row + 2}
    >
      <th
        class="matrix-head"
        scope="row"
        aria-colindex={1}
        title={`${name}: ${formatRateTitle(task)}`}
      >
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
          <span>{formatPercent(task.rate)}</span>
          <IntervalBar rate={task.rate} low={task.low} high={task.high} />
          <span class="matrix-amount">{formatAmount(task, order)}</span>
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
                isTabStop={column === tabStop}
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
  isTabStop: boolean;
}

function RunCell({ searchable: { index }, place, at, isTabStop }: RunCellProps) {
  const { outcome: outcomes, run, durationMs } = index.taskRuns;
  const outcome = outcomes[place] ?? 'error';
  const label = `run ${run[place]}: ${outcome}`;
  return (
    <a
      class={`cell ${outcome}`}
      href={formatRunLink(index, place)}
      tabIndex={isTabStop ? 0 : -1}
      data-cell={`${at.row}/${at.column}`}
      aria-label={label}
      title={`${label}, ${formatDuration(durationMs[place] ?? null)}`}
    >
      <OutcomeSign outcome={outcome} />
    </a>
  );
}

/** The amount that the tasks are sorted by; for other orders, how many runs passed. */
function formatAmount(task: TaskRow, order: TaskOrder): string {
  if (order === 'duration') return formatDuration(task.duration);
  if (order === 'tokens') return formatShortCount(task.tokens);
  return `${task.passed} of ${task.judged}`;
}

function formatRateTitle({ passed, judged, low, high }: TaskRow): string {
  if (judged === 0) return 'nothing was judged';
  return `${passed} of ${judged} judged passed, 95% interval ${formatPercent(low)} to ${formatPercent(high)}`;
}

interface MatrixSize {
  rows: number;
  columns: number;
}

/** How many rows and columns of the matrix are on paper. */
function findPrintedPart({ rows, columns }: MatrixSize): MatrixSize {
  if (rows * columns <= alwaysRendered) return { rows, columns };
  const printedColumns = Math.min(columns, mostPrintedColumns);
  const fitting = Math.floor(mostPrintedCells / Math.max(printedColumns, 1));
  return {
    rows: Math.min(rows, Math.max(fitting, fewestPrintedRows), mostPrintedRows),
    columns: printedColumns,
  };
}

interface CellPlace {
  row: number;
  column: number;
}

/** By row, what is in each column; undefined: an empty cell. Every row has a cell that is not. */
type Cells = readonly (readonly unknown[])[];

/**
 * Moves the focus from cell to cell of a grid by arrows, Home, End, PageUp and PageDown. Cells have
 * `data-cell`, as `row/column`. `box` is the element that scrolls: a cell to go to may not be rendered yet.
 */
function moveInMatrix(
  event: KeyboardEvent,
  box: HTMLElement | null,
  { cells, cellWidth, rowHeight }: { cells: Cells; cellWidth: number; rowHeight: number },
): void {
  const active = document.activeElement?.getAttribute('data-cell')?.split('/').map(Number);
  if (!box || !active || event.ctrlKey || event.metaKey || event.altKey) return;
  const [row = 0, column = 0] = active;
  const rowsOfPage = Math.max(Math.floor(box.clientHeight / rowHeight) - 2, 1);
  const next = findNextCell(cells, { row, column }, event.key, rowsOfPage);
  if (!next) return;
  event.preventDefault();
  const selector = `[data-cell="${next.row}/${next.column}"]`;
  if (!box.querySelector(selector)) box.scrollTo(next.column * cellWidth, next.row * rowHeight);
  focusWhenRendered(() => box.querySelector<HTMLElement>(selector));
}

/** The cell that a key leads to; undefined: it is no key of the grid. */
export function findNextCell(
  cells: Cells,
  from: CellPlace,
  key: string,
  rowsOfPage: number,
): CellPlace | undefined {
  const toRow = (row: number) => {
    const bounded = Math.min(Math.max(row, 0), cells.length - 1);
    return { row: bounded, column: findNearestColumn(cells[bounded] ?? [], from.column) };
  };
  const line = cells[from.row] ?? [];
  const toColumn = (start: number, step: 1 | -1) => ({
    ...from,
    column: findNextColumn(line, start, step),
  });
  switch (key) {
    case 'ArrowLeft':
      return toColumn(from.column, -1);
    case 'ArrowRight':
      return toColumn(from.column, 1);
    case 'ArrowUp':
      return toRow(from.row - 1);
    case 'ArrowDown':
      return toRow(from.row + 1);
    case 'PageUp':
      return toRow(from.row - rowsOfPage);
    case 'PageDown':
      return toRow(from.row + rowsOfPage);
    case 'Home':
      return toColumn(-1, 1);
    case 'End':
      return toColumn(line.length, -1);
    default:
      return undefined;
  }
}

/** The column nearest to this one that is not empty. */
export function findNearestColumn(line: readonly unknown[], column: number): number {
  for (let distance = 0; distance <= line.length + column; distance++) {
    if (line[column - distance] !== undefined) return column - distance;
    if (line[column + distance] !== undefined) return column + distance;
  }
  return column;
}

/** The next column in a direction that is not empty; the same one where there is none. */
function findNextColumn(line: readonly unknown[], from: number, step: 1 | -1): number {
  for (let column = from + step; column >= 0 && column < line.length; column += step) {
    if (line[column] !== undefined) return column;
  }
  return from;
}
