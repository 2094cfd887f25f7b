import { costText, shortDuration, shortNumber } from '../../analysis/amount-text.js';
import { intervalText, passedText, rateText } from '../../analysis/rate-text.js';
import type { Amounts, TaskSummary } from '../../analysis/summary/summary.js';
import { type TaskOutcome, taskOutcome } from '../../analysis/summary/task-outcome.js';
import { describeOutcome } from '../check/wording.js';
import type { Cell, Column } from './table.js';

interface TaskColumn extends Column {
  cell(task: TaskSummary): Cell;
  /** Left out if no task has anything to say there. */
  isKnown?(task: TaskSummary): boolean;
}

const right = { align: 'right' } as const;

const columns: readonly TaskColumn[] = [
  { title: 'task', flexible: true, cell: ({ task }) => task },
  {
    title: 'variant',
    cell: ({ variant }) => variant ?? '-',
    isKnown: ({ variant }) => variant !== null,
  },
  { title: 'outcome', cell: outcomeCell },
  { title: 'passed', ...right, cell: ({ rate }) => passedText(rate) },
  { title: 'rate', ...right, cell: ({ rate }) => rateText(rate) },
  { title: '95% interval', ...right, cell: ({ rate }) => intervalText(rate) },
  {
    title: 'not judged',
    ...right,
    cell: (task) => String(notJudged(task) || '-'),
    isKnown: (task) => notJudged(task) > 0,
  },
  {
    title: 'p50',
    ...right,
    cell: ({ amounts: { durationMs } }) => (durationMs ? shortDuration(durationMs.p50) : '-'),
    isKnown: ({ amounts }) => amounts.durationMs !== null,
  },
  {
    title: 'calls',
    ...right,
    cell: ({ amounts }) => callsCell(amounts),
    isKnown: ({ amounts }) => callCount(amounts) > 0,
  },
  {
    title: 'tokens',
    ...right,
    cell: ({ amounts: { usage } }) =>
      usage ? shortNumber(usage.inputTokens + usage.outputTokens) : '-',
    isKnown: ({ amounts }) => amounts.usage !== null,
  },
  {
    title: 'cost',
    ...right,
    cell: ({ amounts }) => costText(amounts) ?? '-',
    isKnown: ({ amounts }) => amounts.cost !== null,
  },
];

/** The table of tasks, with the columns that have something to say. */
export function tasksTable(tasks: readonly TaskSummary[]) {
  const shown = columns.filter(({ isKnown }) => !isKnown || tasks.some(isKnown));
  return {
    columns: shown,
    rows: tasks.map((task) => shown.map(({ cell }) => cell(task))),
  };
}

function outcomeCell(task: TaskSummary): Cell {
  const outcome: TaskOutcome = taskOutcome(task);
  if (outcome === 'flaky') return { text: outcome, format: 'yellow' };
  const { word, format } = describeOutcome(outcome, false);
  return { text: word, format };
}

function notJudged({ outcomes }: TaskSummary): number {
  return outcomes.error + outcomes.cancelled;
}

/** `4`, or `4, 2 failed`. */
export function callsCell(amounts: Amounts): string {
  const { errors } = amounts.calls;
  return `${callCount(amounts)}${errors > 0 ? `, ${errors} failed` : ''}`;
}

export function callCount({ calls }: Amounts): number {
  return calls.tool + calls.resource + calls.prompt;
}
