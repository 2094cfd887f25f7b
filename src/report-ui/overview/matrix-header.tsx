import type { Range } from '../elements/visible-range.js';
import type { TaskOrder } from './view.js';

const amountNames: Record<TaskOrder, string> = {
  rate: 'passed',
  name: 'passed',
  duration: 'mean',
  tokens: 'mean',
};

interface MatrixHeaderProps {
  /** What tells the rows of a task apart, if there can be several. */
  setName: string | undefined;
  columns: Range;
  order: TaskOrder;
}

export function MatrixHeader({ setName, columns, order }: MatrixHeaderProps) {
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
