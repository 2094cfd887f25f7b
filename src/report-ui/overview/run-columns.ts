import { type Searchable, sumTokens } from './searchable.js';
import { type Column, columns, outcomes } from './view.js';

/** A column of the list of task runs. A row is a place in the columns of `index.taskRuns`. */
interface RunColumn {
  title: string;
  width: string;
  /** Whether it is sorted descending at first, as its large values are of interest. */
  isLargestFirst?: true;
  /** What the list is sorted by; null: not known. */
  value: (searchable: Searchable, row: number) => number | string | null;
}

export const runColumns: Record<Column, RunColumn> = {
  outcome: {
    title: 'outcome',
    width: '100px',
    isLargestFirst: true,
    value: rankOutcome,
  },
  task: {
    title: 'task',
    width: 'minmax(96px, 1.1fr)',
    value: ({ index, taskRanks }, row) => taskRanks[index.taskRuns.task[row] ?? -1] ?? null,
  },
  variant: {
    title: 'variant',
    width: 'minmax(72px, 0.6fr)',
    value: (searchable, row) =>
      searchable.variants.indexOf(findSet(searchable, row)?.variant ?? ''),
  },
  run: {
    title: 'run',
    width: '44px',
    value: ({ index }, row) => index.taskRuns.run[row] ?? null,
  },
  source: {
    title: 'results',
    width: 'minmax(72px, 0.6fr)',
    value: (searchable, row) => findSet(searchable, row)?.source ?? null,
  },
  message: {
    title: 'why it did not pass',
    width: 'minmax(80px, 2fr)',
    value: ({ index }, row) => index.taskRuns.message[row] ?? null,
  },
  duration: {
    title: 'duration',
    width: '88px',
    isLargestFirst: true,
    value: ({ index }, row) => index.taskRuns.durationMs[row] ?? null,
  },
  calls: {
    title: 'calls',
    width: '96px',
    isLargestFirst: true,
    value: ({ index }, row) => index.taskRuns.calls[row] ?? null,
  },
  tokens: {
    title: 'tokens',
    width: '72px',
    isLargestFirst: true,
    value: sumTokens,
  },
  cost: {
    title: 'cost',
    width: '76px',
    isLargestFirst: true,
    value: ({ index }, row) => index.taskRuns.cost[row] ?? null,
  },
};

/** Ranks outcomes by how urgent a look is: failures above what could not be judged. */
function rankOutcome({ index }: Searchable, row: number): number {
  const outcome = index.taskRuns.outcome[row];
  if (!outcome || outcome === 'passed') return 0;
  return outcomes.length - outcomes.indexOf(outcome);
}

export function findSet({ index }: Searchable, row: number) {
  return index.sets[index.taskRuns.set[row] ?? -1];
}

export function getColumnTitle(
  column: Column,
  { recorded }: Pick<Searchable['index'], 'recorded'>,
): string {
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
