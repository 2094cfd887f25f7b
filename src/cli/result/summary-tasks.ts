import { dollars, shortDuration, shortNumber } from '../../analysis/amount-text.js';
import { percent } from '../../analysis/percent.js';
import type { Rate } from '../../analysis/rate.js';
import type { Amounts, TaskSummary } from '../../analysis/summary/summary.js';
import { type TaskOutcome, taskOutcome } from '../../analysis/summary/task-outcome.js';
import { outcomeText } from '../check/outcome-text.js';
import type { Cell, Column } from './table.js';

interface TaskColumn extends Column {
  cell(task: TaskSummary, control: boolean): Cell;
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
    cell: ({ amounts }) => String(callCount(amounts)),
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
    cell: ({ amounts: { cost } }) => (cost === null ? '-' : dollars(cost)),
    isKnown: ({ amounts }) => amounts.cost !== null,
  },
];

/** The table of tasks, with the columns that have something to say. */
export function tasksTable(tasks: readonly TaskSummary[], control: boolean) {
  const shown = columns.filter(({ isKnown }) => !isKnown || tasks.some(isKnown));
  return {
    columns: shown,
    rows: tasks.map((task) => shown.map(({ cell }) => cell(task, control))),
  };
}

function outcomeCell(task: TaskSummary, control: boolean): Cell {
  const outcome: TaskOutcome = taskOutcome(task);
  if (outcome === 'flaky') return { text: outcome, format: 'yellow' };
  const { word, format } = outcomeText(outcome, control);
  return { text: word, format };
}

export function passedText({ passed, judged }: Rate): string {
  return `${passed} of ${judged}`;
}

export function rateText({ rate }: Rate): string {
  return rate === null ? '-' : percent(rate);
}

export function intervalText({ low, high }: Rate): string {
  return low === null || high === null ? '-' : `${percent(low)} to ${percent(high)}`;
}

function notJudged({ outcomes }: TaskSummary): number {
  return outcomes.error + outcomes.cancelled;
}

export function callCount({ calls }: Amounts): number {
  return calls.tool + calls.resource + calls.prompt;
}
