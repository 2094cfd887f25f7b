import { plural } from '../../base/text.js';
import type { DiffSide, MeanAmounts, TotalDiff } from './results-diff.js';

/** A difference of rates in points: `+3.5`, `-10.0`. */
export function points(difference: number): string {
  const text = (difference * 100).toFixed(1);
  if (Number(text) === 0) return '0.0';
  return difference > 0 ? `+${text}` : text;
}

/** What was left out of the rate. */
export function leftOut({ errors, cancelled }: DiffSide): string {
  const parts = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return parts.join(', ');
}

/** `p = 0.031, exact sign-flip over 30 tasks`. */
export function methodText(total: TotalDiff): string {
  const { pValue, method, tasks, variants } = total;
  if (pValue === null || method === null) return 'nothing was judged on both sides';
  const value = pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`;
  const of = variants === undefined ? plural(tasks, 'task') : `${tasks} pairs of task and variant`;
  return `${value}, ${method} over ${of}${editedText(total)}`;
}

function editedText({ judgedDifferently }: TotalDiff): string {
  if (!judgedDifferently) return '';
  const { tasks, leftOut } = judgedDifferently;
  return leftOut
    ? `; left out: ${plural(tasks, 'task')} judged differently`
    : `, of which ${tasks} ${tasks === 1 ? 'is' : 'are'} judged differently`;
}

export interface AmountChange {
  what: string;
  amount: keyof MeanAmounts;
  before: number;
  now: number;
  /** `+12.5%`; `new` where there was none before. */
  change: string;
}

const amountNames: Record<keyof MeanAmounts, string> = {
  durationMs: 'duration',
  calls: 'calls',
  callErrors: 'call errors',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  cost: 'cost',
};

/** What a task run takes on average, as far as both sides tell. */
export function amountChanges({ base, current }: TotalDiff): AmountChange[] {
  return (Object.keys(amountNames) as (keyof MeanAmounts)[]).flatMap((amount) => {
    const before = base.amounts[amount];
    const now = current.amounts[amount];
    if (before === null || now === null || (before === 0 && now === 0)) return [];
    return [{ what: amountNames[amount], amount, before, now, change: changeOf(before, now) }];
  });
}

function changeOf(before: number, now: number): string {
  if (before === 0) return 'new';
  const text = ((now / before - 1) * 100).toFixed(1);
  if (Number(text) === 0) return 'same';
  return now > before ? `+${text}%` : `${text}%`;
}
