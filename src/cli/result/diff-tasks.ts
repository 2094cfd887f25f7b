import { leftOut, points } from '../../analysis/diff/diff-words.js';
import type { DiffSide, DiffVerdict, TaskDiff } from '../../analysis/diff/results-diff.js';
import { percent } from '../../analysis/percent.js';
import { plural } from '../../config/plural.js';
import { taskInWords } from '../../events/task-run-key.js';
import type { Style } from '../style.js';
import type { Cell, Column } from './table.js';

export const verdictFormats: Record<DiffVerdict, Parameters<Style>[0]> = {
  regression: 'red',
  improvement: 'green',
  'not enough data': 'yellow',
  'no change': 'dim',
};

const columns: readonly Column[] = [
  { title: 'task', flexible: true },
  { title: 'base [95%]', align: 'right' },
  { title: 'current [95%]', align: 'right' },
  { title: 'points', align: 'right' },
  { title: 'p (Holm)', align: 'right' },
  { title: 'verdict' },
];

/** A row for each task, with its rates on both sides. */
export function taskRows(tasks: readonly TaskDiff[]): {
  columns: readonly Column[];
  rows: Cell[][];
} {
  const rows = tasks.map((task): Cell[] => [
    task.renamedFrom === null
      ? taskInWords(task)
      : `${taskInWords(task)} (was ${task.renamedFrom})`,
    sideText(task.base),
    sideText(task.current),
    task.difference === null ? '-' : points(task.difference),
    task.adjusted === null ? '-' : probability(task.adjusted),
    { text: verdictText(task), format: verdictFormats[task.verdict] },
  ]);
  return { columns, rows };
}

function sideText(side: DiffSide): string {
  const { passed, judged, rate, low, high } = side;
  const aside = leftOut(side);
  const counts = `${passed}/${judged}`;
  const known =
    rate === null || low === null || high === null
      ? counts
      : `${counts} ${percent(rate)} [${bound(low)}, ${bound(high)}]`;
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
