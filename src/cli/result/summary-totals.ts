import { dollars, shortDuration, shortNumber } from '../../analysis/amount-text.js';
import { percent } from '../../analysis/percent.js';
import type { OutcomeCounts, Summary } from '../../analysis/summary/summary.js';
import { plural } from '../../config/plural.js';
import { callCount, intervalText } from './summary-tasks.js';

type Totals = Summary['totals'];

/** What, and how much. */
export type TotalsRow = [name: string, text: string];

export function totalsRows({ totals, byVariant }: Summary): TotalsRow[] {
  const isMatrix = Object.keys(byVariant).length > 0;
  return [
    ['task runs', `${totals.taskRuns}: ${outcomesText(totals)}`],
    ['pass rate', passRateText(totals)],
    ['tasks', `${totals.tasksPassed} of ${totals.tasks} passed in every run`],
    ...totals.passWithK.map((each) => passWithKRow(each, isMatrix)),
    ...assertionsRow(totals),
    ...amountsRows(totals),
  ];
}

const outcomes = ['passed', 'failed', 'timeout', 'error', 'cancelled'] as const;

function outcomesText({ outcomes: counts, notRun }: Totals): string {
  const shown = outcomes.filter((outcome) => outcome === 'passed' || counts[outcome] > 0);
  const words = shown.map((outcome: keyof OutcomeCounts) => `${counts[outcome]} ${outcome}`);
  return [...words, ...(notRun > 0 ? [`${notRun} not done`] : [])].join(', ');
}

function passRateText({ rate }: Totals): string {
  if (rate.rate === null) return 'nothing was judged';
  const judged = `${rate.passed} of ${plural(rate.judged, 'judged task run')}`;
  return `${percent(rate.rate)} (95% interval ${intervalText(rate)}), ${judged}`;
}

function passWithKRow(
  { k, any, all, tasks }: Totals['passWithK'][number],
  isMatrix: boolean,
): TotalsRow {
  const of = `mean over ${plural(tasks, isMatrix ? 'pair' : 'task')}${isMatrix ? ' of task and variant' : ''}`;
  return [`k = ${k}`, `pass@${k} ${percent(any)}, pass^${k} ${percent(all)} (${of})`];
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
  rows.push(['calls', `${callCount(amounts)}, ${plural(calls.errors, 'error')}${tokens}`]);
  if (schemaTokens !== null) rows.push(['tools', `${shortNumber(schemaTokens)} tokens to list`]);
  if (usage) rows.push(['model tokens', `${inAndOut(usage)}${partly(untold.usage)}`]);
  if (judge.usage) rows.push(['judge tokens', inAndOut(judge.usage)]);
  if (cost !== null) rows.push(['cost', `${dollars(cost)}${partly(untold.cost)}`]);
  if (judge.cost !== null) rows.push(['judge cost', dollars(judge.cost)]);
  return rows;
}
