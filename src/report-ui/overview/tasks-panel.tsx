import { exactCount } from '../elements/amounts.js';
import { printedPart } from './matrix-part.js';
import type { Searchable } from './searchable.js';
import { TaskMatrix } from './task-matrix.js';
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

/** Pass rates with their intervals, and each run behind them. */
export function TasksPanel({ searchable, tasks, order, onOrder }: TasksPanelProps) {
  const count = countTasks(tasks);
  const flaky = countTasks(tasks.filter((task) => task.flaky));
  return (
    <section class="panel tasks" aria-labelledby="tasks-title">
      <div class="panel-title">
        <h2 id="tasks-title">Tasks</h2>
        <span class="quiet">
          {exactCount(count)}
          {flaky > 0 && `, ${exactCount(flaky)} flaky`}, with 95% intervals and each run
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
        <p class="nothing">no task run is shown</p>
      )}
      <PrintedNote rows={tasks.length} columns={searchable.mostTurns} />
    </section>
  );
}

/** Paper does not scroll: what is not on it must be told. */
function PrintedNote(size: { rows: number; columns: number }) {
  const printed = printedPart(size);
  const left = [
    ...(printed.rows < size.rows ? [`${printed.rows} of ${exactCount(size.rows)} rows`] : []),
    ...(printed.columns < size.columns
      ? [`${printed.columns} of ${exactCount(size.columns)} runs`]
      : []),
  ];
  if (left.length === 0) return null;
  return (
    <p class="print-only nothing">the first {left.join(' and ')}; open the report to see all</p>
  );
}

/** Each has a row in every set. */
function countTasks(rows: readonly TaskRow[]): number {
  return new Set(rows.map(({ task }) => task)).size;
}
