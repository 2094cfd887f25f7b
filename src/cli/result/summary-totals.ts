import { dollars, shortDuration, shortNumber } from '../../analysis/amount-text.js';
import {
  outcomesText,
  passRateSentence,
  passWithKSentence,
  tasksPassedSentence,
} from '../../analysis/rate-text.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { plural } from '../../base/text.js';
import { callCount } from './summary-tasks.js';

type Totals = Summary['totals'];

/** What, and how much. */
export type TotalsRow = [name: string, text: string];

export function totalsRows({ totals, byVariant }: Summary): TotalsRow[] {
  const isMatrix = Object.keys(byVariant).length > 0;
  return [
    ['task runs', `${totals.taskRuns}: ${outcomesText(totals.outcomes, totals.notRun)}`],
    ['pass rate', passRateSentence(totals.rate)],
    ['tasks', tasksPassedSentence(totals)],
    ...totals.passWithK.map(
      (each): TotalsRow => [`k = ${each.k}`, passWithKSentence(each, isMatrix)],
    ),
    ...assertionsRow(totals),
    ...amountsRows(totals),
  ];
}

function assertionsRow({ assertions: { total, passed } }: Totals): TotalsRow[] {
  return total === 0 ? [] : [['assertions', `${passed} of ${total} held`]];
}

function amountsRows({ amounts, schemaTokens }: Totals): TotalsRow[] {
  const { durationMs, usage, cost, calls, judge, untold } = amounts;
  const partly = (count: number) =>
    count > 0 ? `; ${plural(count, 'task run')} did not tell` : '';
  const inAndOut = ({ inputTokens, outputTokens }: NonNullable<typeof usage>) =>
    `${shortNumber(inputTokens)} in, ${shortNumber(outputTokens)} out`;
  const rows: TotalsRow[] = [];
  if (durationMs) {
    const { p50, p95, max } = durationMs;
    const each = `${shortDuration(p50)} (median), p95 ${shortDuration(p95)}`;
    rows.push(['duration', `${each}, at most ${shortDuration(max)}`]);
  }
  const tokens = calls.tokens > 0 ? `, ${shortNumber(calls.tokens)} tokens` : '';
  const suspects = calls.suspected > 0 ? `, ${plural(calls.suspected, 'suspected error')}` : '';
  const errors = plural(calls.errors, 'error');
  rows.push(['calls', `${callCount(amounts)}, ${errors}${suspects}${tokens}`]);
  if (schemaTokens !== null) rows.push(['tools', `${shortNumber(schemaTokens)} tokens to list`]);
  if (usage) rows.push(['model tokens', `${inAndOut(usage)}${partly(untold.usage)}`]);
  if (judge.usage) rows.push(['judge tokens', inAndOut(judge.usage)]);
  if (cost !== null) rows.push(['cost', `${dollars(cost)}${partly(untold.cost)}`]);
  if (judge.cost !== null) rows.push(['judge cost', dollars(judge.cost)]);
  return rows;
}
