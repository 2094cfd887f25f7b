import { SortMark } from '../elements/graphics.js';
import type { Searchable } from './searchable.js';
import { type Column, columns, type View } from './view.js';

const usualNames: Record<Column, string> = {
  outcome: 'outcome',
  task: 'task',
  run: 'run',
  variant: 'variant',
  source: 'results',
  message: 'why it did not pass',
  duration: 'duration',
  calls: 'calls',
  tokens: 'tokens',
  cost: 'cost',
};

function getColumnName(
  column: Column,
  { recorded }: Pick<Searchable['index'], 'recorded'>,
): string {
  return recorded && column === 'task' ? 'session' : usualNames[column];
}

/** Columns that are sorted descending at first, as their large values are of interest. */
const largestFirst = new Set<Column>(['outcome', 'duration', 'calls', 'tokens', 'cost']);

const widths: Record<Column, string> = {
  outcome: '100px',
  task: 'minmax(96px, 1.1fr)',
  run: '44px',
  variant: 'minmax(72px, 0.6fr)',
  source: 'minmax(72px, 0.6fr)',
  message: 'minmax(80px, 2fr)',
  duration: '88px',
  calls: '96px',
  tokens: '72px',
  cost: '76px',
};

/** The columns to show: those in which task runs can differ. */
export function chooseColumns({ index, reported, variants }: Searchable): Column[] {
  const shown: Partial<Record<Column, boolean>> = {
    ...reported,
    source: index.sources.length > 1,
    variant: variants.length > 0,
    // Sessions of a recording have no verdict, and there is one of each.
    ...(index.recorded && { outcome: false, message: false, run: false }),
  };
  return columns.filter((column) => shown[column] ?? true);
}

export function formatColumnWidths(columns: readonly Column[]): string {
  return columns.map((column) => widths[column]).join(' ');
}

interface SortProps {
  index: Searchable['index'];
  columns: readonly Column[];
  sort: View['sort'];
  onSort: (sort: View['sort']) => void;
}

export function SortHeaders({ index, columns, sort, onSort }: SortProps) {
  return (
    <thead class="run-header">
      <tr class="run-row" aria-rowindex={1}>
        {columns.map((column) => {
          const isSorted = column === sort.column;
          const direction = sort.descending ? 'descending' : 'ascending';
          return (
            <th
              key={column}
              class={`of-${column}`}
              scope="col"
              aria-sort={isSorted ? direction : 'none'}
            >
              <button type="button" onClick={() => onSort(toggleSort(column, sort))}>
                {getColumnName(column, index)}
                {isSorted && <SortMark descending={sort.descending} />}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** Sorting on screens that are too narrow for column headers. */
export function SortSelect({ index, columns, sort, onSort }: SortProps) {
  return (
    <div class="sort-select">
      <select
        aria-label="sort by"
        onChange={({ currentTarget }) => {
          const column = columns[currentTarget.selectedIndex];
          if (column) onSort({ column, descending: largestFirst.has(column) });
        }}
      >
        {columns.map((column) => (
          <option key={column} selected={column === sort.column}>
            by {getColumnName(column, index)}
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

function toggleSort(column: Column, before: View['sort']): View['sort'] {
  const descending = column === before.column ? !before.descending : largestFirst.has(column);
  return { column, descending };
}
