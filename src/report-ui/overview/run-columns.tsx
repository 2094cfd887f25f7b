import type { ComponentChildren } from 'preact';
import { formatCost, formatDuration, formatShortCount } from '../elements/amounts.js';
import { OutcomeBadge, SortHeading, SortMark } from '../elements/graphics.js';
import { type Searchable, sumTokens } from './searchable.js';
import { type Column, columns, outcomes, type View } from './view.js';

/** A column of the list of task runs. A row is a place in the columns of `index.taskRuns`. */
interface RunColumn {
  title: string;
  width: string;
  /** Whether it is sorted descending at first, as its large values are of interest. */
  isLargestFirst?: true;
  /** What the list is sorted by; null: not known. */
  value: (searchable: Searchable, row: number) => number | string | null;
  /** What a cell shows. `cell-name` is for narrow screens, which have no headings of columns. */
  cell: (searchable: Searchable, row: number) => ComponentChildren;
}

export const runColumns: Record<Column, RunColumn> = {
  outcome: {
    title: 'outcome',
    width: '100px',
    isLargestFirst: true,
    value: rankOutcome,
    cell: ({ index }, row) => <OutcomeBadge outcome={index.taskRuns.outcome[row] ?? 'error'} />,
  },
  task: {
    title: 'task',
    width: 'minmax(96px, 1.1fr)',
    value: ({ index, taskRanks }, row) => taskRanks[index.taskRuns.task[row] ?? -1] ?? null,
    // The row renders it, as its header and link.
    cell: () => null,
  },
  variant: {
    title: 'variant',
    width: 'minmax(72px, 0.6fr)',
    value: (searchable, row) =>
      searchable.variants.indexOf(findSet(searchable, row)?.variant ?? ''),
    cell: (searchable, row) => {
      const { variant = null } = findSet(searchable, row) ?? {};
      return <span title={variant ?? ''}>{variant}</span>;
    },
  },
  run: {
    title: 'run',
    width: '44px',
    value: ({ index }, row) => index.taskRuns.run[row] ?? null,
    cell: ({ index }, row) => (
      <>
        <span class="cell-name">run </span>
        {index.taskRuns.run[row]}
      </>
    ),
  },
  source: {
    title: 'results',
    width: 'minmax(72px, 0.6fr)',
    value: (searchable, row) => findSet(searchable, row)?.source ?? null,
    cell: (searchable, row) => searchable.index.sources[findSet(searchable, row)?.source ?? -1],
  },
  message: {
    title: 'why it did not pass',
    width: 'minmax(80px, 2fr)',
    value: ({ index }, row) => index.taskRuns.message[row] ?? null,
    cell: ({ index }, row) => {
      const message = index.taskRuns.message[row] ?? '';
      return <span title={message}>{message}</span>;
    },
  },
  duration: {
    title: 'duration',
    width: '88px',
    isLargestFirst: true,
    value: ({ index }, row) => index.taskRuns.durationMs[row] ?? null,
    cell: ({ index }, row) => formatDuration(index.taskRuns.durationMs[row] ?? null),
  },
  calls: {
    title: 'calls',
    width: '96px',
    isLargestFirst: true,
    value: ({ index }, row) => index.taskRuns.calls[row] ?? null,
    cell: ({ index: { taskRuns } }, row) => {
      const errors = taskRuns.callErrors[row] ?? 0;
      return (
        <>
          {taskRuns.calls[row]}
          <span class="cell-name">{taskRuns.calls[row] === 1 ? ' call' : ' calls'}</span>
          {errors > 0 && <span class="call-errors">{errors} failed</span>}
        </>
      );
    },
  },
  tokens: {
    title: 'tokens',
    width: '72px',
    isLargestFirst: true,
    value: sumTokens,
    cell: (searchable, row) => (
      <>
        {formatShortCount(sumTokens(searchable, row))}
        <span class="cell-name"> tokens</span>
      </>
    ),
  },
  cost: {
    title: 'cost',
    width: '76px',
    isLargestFirst: true,
    value: ({ index }, row) => index.taskRuns.cost[row] ?? null,
    cell: ({ index }, row) => formatCost(index.taskRuns.cost[row] ?? null),
  },
};

/** Ranks outcomes by how urgent a look is: failures above what could not be judged. */
function rankOutcome({ index }: Searchable, row: number): number {
  const outcome = index.taskRuns.outcome[row];
  if (!outcome || outcome === 'passed') return 0;
  return outcomes.length - outcomes.indexOf(outcome);
}

function findSet({ index }: Searchable, row: number) {
  return index.sets[index.taskRuns.set[row] ?? -1];
}

function getTitle(column: Column, { recorded }: Pick<Searchable['index'], 'recorded'>): string {
  return recorded && column === 'task' ? 'session' : runColumns[column].title;
}

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
  return columns.map((column) => runColumns[column].width).join(' ');
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
        {columns.map((column) => (
          <SortHeading
            key={column}
            title={getTitle(column, index)}
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
export function SortSelect({ index, columns, sort, onSort }: SortProps) {
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
            by {getTitle(column, index)}
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
