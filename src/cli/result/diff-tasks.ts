import { leftOut, points } from '../../analysis/diff/diff-words.js';
import type { DiffSide, DiffVerdict, TaskDiff } from '../../analysis/diff/results-diff.js';
import { percent } from '../../analysis/rate-text.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import type { Style } from '../style.js';
import { displayWidth } from '../terminal-text.js';
import { withoutStyle } from '../wrapped-text.js';
import { type Cell, type Column, type TableOptions, tableLines } from './table.js';

export const verdictFormats: Record<DiffVerdict, Parameters<Style>[0]> = {
  regression: 'red',
  improvement: 'green',
  'judged differently': 'yellow',
  'not enough data': 'yellow',
  'no change': 'dim',
};

/** What a row shows: everything, or, where the terminal is too narrow for that, what matters most. */
interface TaskColumn extends Column {
  cell(task: TaskDiff): Cell;
}

const taskColumn: TaskColumn = {
  title: 'task',
  flexible: true,
  cell: (task) =>
    task.renamedFrom === null
      ? formatTaskName(task)
      : `${formatTaskName(task)} (was ${task.renamedFrom})`,
};

const pointsColumn: TaskColumn = {
  title: 'points',
  align: 'right',
  cell: ({ difference }) => (difference === null ? '-' : points(difference)),
};

const verdictColumn: TaskColumn = {
  title: 'verdict',
  cell: (task) => ({ text: verdictText(task), format: verdictFormats[task.verdict] }),
};

const allColumns: readonly TaskColumn[] = [
  taskColumn,
  { title: 'base [95%]', align: 'right', cell: ({ base }) => sideText(base) },
  { title: 'current [95%]', align: 'right', cell: ({ current }) => sideText(current) },
  pointsColumn,
  {
    title: 'p (Holm)',
    align: 'right',
    cell: ({ adjusted }) => (adjusted === null ? '-' : probability(adjusted)),
  },
  verdictColumn,
];

const fewColumns: readonly TaskColumn[] = [
  taskColumn,
  { title: 'base', align: 'right', cell: ({ base }) => shortSideText(base) },
  { title: 'current', align: 'right', cell: ({ current }) => shortSideText(current) },
  pointsColumn,
  verdictColumn,
];

/** A line for each task, with its rates on both sides. */
export function taskTable(tasks: readonly TaskDiff[], options: TableOptions): string[] {
  const linesWith = (columns: readonly TaskColumn[]) => {
    const rows = tasks.map((task) => columns.map(({ cell }) => cell(task)));
    return tableLines(columns, rows, options);
  };
  const lines = linesWith(allColumns);
  const { width } = options;
  const fits = (line: string) => width === undefined || displayWidth(withoutStyle(line)) <= width;
  return lines.every(fits) ? lines : linesWith(fewColumns);
}

function sideText(side: DiffSide): string {
  const { low, high } = side;
  const isKnown = side.rate !== null && low !== null && high !== null;
  return shortSideText(side, isKnown ? ` [${bound(low)}, ${bound(high)}]` : '');
}

function shortSideText(side: DiffSide, interval = ''): string {
  const { passed, judged, rate } = side;
  const aside = leftOut(side);
  const known = `${passed}/${judged}${rate === null ? '' : ` ${percent(rate)}`}${interval}`;
  return aside === '' ? known : `${known} +${aside}`;
}

function bound(share: number): string {
  return (share * 100).toFixed(1).replace('.0', '');
}

function probability(value: number): string {
  return value < 0.001 ? '<0.001' : value.toFixed(3);
}

function verdictText({ verdict, moreRuns }: TaskDiff): string {
  if (verdict !== 'not enough data' || moreRuns === null) return verdict;
  return `${verdict} (${plural(moreRuns, 'more run')})`;
}
