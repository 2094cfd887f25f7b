import {
  describePassRate,
  describePassWithK,
  describeTasksPassed,
  formatDollars,
  formatOutcomes,
  formatShortDuration,
  formatShortNumber,
} from '../../analysis/figure-text.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { plural } from '../../base/text.js';
import { callCount } from './summary-tasks.js';

type Totals = Summary['totals'];

/** What, and how much. */
export type TotalsRow = [name: string, text: string];

export function totalsRows({ totals, byVariant }: Summary): TotalsRow[] {
  const isMatrix = Object.keys(byVariant).length > 0;
  return [
    ['task runs', `${totals.taskRuns}: ${formatOutcomes(totals.outcomes, totals.notRun)}`],
    ['pass rate', describePassRate(totals.rate)],
    ['tasks', describeTasksPassed(totals)],
    ...totals.passWithK.map(
      (each): TotalsRow => [`k = ${each.k}`, describePassWithK(each, isMatrix)],
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
    `${formatShortNumber(inputTokens)} in, ${formatShortNumber(outputTokens)} out`;
  const rows: TotalsRow[] = [];
  if (durationMs) {
    const { p50, p95, max } = durationMs;
    const each = `${formatShortDuration(p50)} (median), p95 ${formatShortDuration(p95)}`;
    rows.push(['duration', `${each}, at most ${formatShortDuration(max)}`]);
  }
  const tokens = calls.tokens > 0 ? `, ${formatShortNumber(calls.tokens)} tokens` : '';
  const suspects = calls.suspected > 0 ? `, ${plural(calls.suspected, 'suspected error')}` : '';
  const errors = plural(calls.errors, 'error');
  rows.push(['calls', `${callCount(amounts)}, ${errors}${suspects}${tokens}`]);
  if (schemaTokens !== null)
    rows.push(['tools', `${formatShortNumber(schemaTokens)} tokens to list`]);
  if (usage) rows.push(['model tokens', `${inAndOut(usage)}${partly(untold.usage)}`]);
  if (judge.usage) rows.push(['judge tokens', inAndOut(judge.usage)]);
  if (cost !== null) rows.push(['cost', `${formatDollars(cost)}${partly(untold.cost)}`]);
  if (judge.cost !== null) rows.push(['judge cost', formatDollars(judge.cost)]);
  return rows;
}
