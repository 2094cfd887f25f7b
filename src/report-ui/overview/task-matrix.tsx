import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useMedia } from '../elements/use-media.js';
import { useSeen } from '../elements/use-seen.js';
import { MatrixHeader } from './matrix-header.js';
import { type CellPlace, moveInMatrix, nearest } from './matrix-moves.js';
import { printedPart, shownPart } from './matrix-part.js';
import { MatrixRow } from './matrix-row.js';
import type { Searchable } from './searchable.js';
import type { TaskRow } from './task-rows.js';
import type { TaskOrder } from './view.js';

interface TaskMatrixProps {
  searchable: Searchable;
  tasks: readonly TaskRow[];
  order: TaskOrder;
}

const cellWidth = 22;
/** As in the styles; `headWidth` is the least of what stands before the cells, or above them. */
const wide = { rowHeight: 28, headWidth: 480 };
const wideWithSets = { rowHeight: 28, headWidth: 640 };
const narrow = { rowHeight: 56, headWidth: 0 };

/**
 * Tasks by runs. Cells exist only where they can be seen, and one of them is a stop of the tab key:
 * arrows move from there.
 */
export function TaskMatrix({ searchable, tasks, order }: TaskMatrixProps) {
  const { rowHeight, headWidth } = useMedia('(max-width: 640px)')
    ? narrow
    : searchable.index.sets.length > 1
      ? wideWithSets
      : wide;
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useState<CellPlace>({ row: 0, column: 0 });
  const focusWanted = useRef(false);
  const size = { rows: tasks.length, columns: searchable.mostTurns };
  const printed = printedPart(size);
  const seen = useSeen(body, {
    width: headWidth + printed.columns * cellWidth,
    height: printed.rows * rowHeight,
  });
  const { rows, columns } = shownPart(size, { rowHeight, headWidth, cellWidth }, seen);
  const stop = tabStop(tasks, active, rows.start, rows.end);

  useLayoutEffect(() => {
    if (!focusWanted.current) return;
    const cell = box.current?.querySelector<HTMLElement>('a[tabindex="0"]');
    if (cell?.dataset.cell !== `${active.row}/${active.column}`) return;
    focusWanted.current = false;
    cell.focus();
  });

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rowsOfPage = Math.max(Math.floor((box.current?.clientHeight ?? 0) / rowHeight) - 2, 1);
    const cells = tasks.map((task) => task.cells);
    const next = moveInMatrix(cells, stop, event.key, rowsOfPage);
    if (!next) return;
    event.preventDefault();
    focusWanted.current = true;
    setActive(next);
    const isThere =
      next.row >= rows.start &&
      next.row < rows.end &&
      next.column >= columns.start &&
      next.column < columns.end;
    if (!isThere) box.current?.scrollTo(next.column * cellWidth, next.row * rowHeight);
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
        onKeyDown={press}
      >
        <MatrixHeader setName={setNameOf(searchable)} columns={columns} order={order} />
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
              stop={stop.row === rows.start + offset ? stop.column : undefined}
              onFocus={setActive}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function setNameOf({ index, variants }: Searchable): string | undefined {
  if (index.sets.length < 2) return undefined;
  return variants.length > 0 && index.sources.length < 2 ? 'variant' : 'results';
}

/** Filters may have taken away the active cell, and scrolling its row. */
function tabStop(
  tasks: readonly TaskRow[],
  { row, column }: CellPlace,
  start: number,
  end: number,
): CellPlace {
  const stopRow = row >= start && row < end ? row : start;
  return { row: stopRow, column: nearest(tasks[stopRow]?.cells ?? [], column) };
}
