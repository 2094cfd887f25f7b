import { formatDollars, formatPercent } from '../../analysis/figure-text.js';
import { parseThresholds } from '../../analysis/thresholds/parse-thresholds.js';
import type { ThresholdCheck, Verification } from '../../analysis/thresholds/thresholds.js';
import { refuseUnlikeFiles, verifySummary } from '../../analysis/thresholds/verify-summary.js';
import { exitCodes } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import {
  type Document,
  type Line,
  quote,
  type Span,
  verdict,
} from '../../reporters/document/document.js';
import type { CommandRun } from '../command.js';
import { parseVariantPattern, showLeftOut, summarizeFiles } from '../result/chosen-results.js';
import { printReport } from '../terminal/document.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const thresholds = parseThresholds(options);
  const allowUnfinished = options.allowUnfinished === true;
  const summary = await summarizeFiles(io, paths, { variants: parseVariantPattern(options) });
  showLeftOut(summary.leftOut, io);
  refuseUnlikeFiles(summary);
  const verification = verifySummary(summary, thresholds, { allowUnfinished });
  printReport(call, {
    data: { ...verification, leftOut: summary.leftOut },
    document: describeVerification(verification, allowUnfinished),
  });
  return verification.passed ? exitCodes.ok : exitCodes.failed;
}

/** Each threshold with what was found, and what it comes to. */
function describeVerification(verification: Verification, allowUnfinished: boolean): Document {
  const { thresholds, caveats, confidence } = verification;
  const sure = confidence === null ? '' : ` (${formatExactPercent(confidence)} confidence)`;
  return {
    title: 'Thresholds',
    notes: caveats,
    blocks: [
      {
        type: 'list',
        items: thresholds.map((check) => ({ text: describeCheck(check, sure) })),
        noun: 'threshold',
      },
      { type: 'paragraph', text: describeVerdict(verification, allowUnfinished) },
    ],
  };
}

function describeCheck(check: ThresholdCheck, sure: string): Line {
  const { option, variant, measure, unit, kind, limit, found, applies, holds, missedBy } = check;
  const name = [
    { text: option, tone: 'strong' as const },
    ...(variant === null ? [] : ['  ', quote(variant)]),
  ];
  const note = { text: `  ${check.note}`, tone: 'dim' as const };
  if (!applies) return [{ text: 'not applicable', tone: 'dim' }, '  ', ...name, note];
  const shown = found === null ? 'unknown' : formatFound(found, check);
  const wanted = `${kind} ${unit === 'rate' ? formatExactPercent(limit) : formatAmount(limit, unit)}`;
  const by = missedBy === null ? '' : `, missed by ${formatDistance(missedBy, unit)}`;
  return [
    holds ? { text: 'holds ', tone: 'good' } : { text: 'missed', tone: 'bad' },
    '  ',
    ...name,
    `  ${measure}${unit === 'rate' ? sure : ''} ${shown}, wanted ${wanted}${by}`,
    note,
  ];
}

function formatFound(found: number, { unit, limit, holds }: ThresholdCheck): string {
  if (unit !== 'rate') return formatAmount(found, unit);
  const text = formatPercent(found);
  // What misses a limit must not look as if it reached it: then more digits, and rounded down.
  return holds || Number.parseFloat(text) < limit * 100 ? text : formatExactPercent(found);
}

function formatAmount(amount: number, unit: Exclude<ThresholdCheck['unit'], 'rate'>): string {
  return unit === 'dollars' ? formatDollars(amount) : amount.toLocaleString('en-US');
}

/** With the digits that were given: 0.8 is `80%`, and 0.6667 is `66.67%`. */
function formatExactPercent(rate: number): string {
  return `${Math.floor(rate * 10_000 + 1e-6) / 100}%`;
}

/** Never 0, however close. */
function formatDistance(distance: number, unit: ThresholdCheck['unit']): string {
  if (unit === 'dollars' && distance < 0.0001) return `$${formatSmallAmount(distance)}`;
  if (unit !== 'rate') return formatAmount(distance, unit);
  // As many digits as the rate has.
  const points = Number((distance * 100).toFixed(1));
  return `${points > 0 ? points : Math.ceil(distance * 10_000 - 1e-6) / 100} points`;
}

/** With enough digits to show the first that is not zero. */
function formatSmallAmount(amount: number): string {
  return amount.toFixed(Math.min(Math.ceil(-Math.log10(amount)), 20));
}

function describeVerdict(verification: Verification, allowUnfinished: boolean): Span {
  const { passed, thresholds, unfinished } = verification;
  const missed = thresholds.filter(({ holds }) => !holds).length;
  if (passed) {
    const applied = thresholds.filter(({ applies }) => applies).length;
    if (applied === 0) return verdict('passed: no threshold applies to these results', 'good');
    const all = applied === 1 ? 'the threshold holds' : 'every threshold holds';
    return verdict(`passed: ${all}`, 'good');
  }
  if (missed > 0) return verdict(`not passed: ${plural(missed, 'threshold')} missed`, 'bad');
  if (unfinished.length > 0 && !allowUnfinished) {
    const message = 'not passed: the results are unfinished (--allow-unfinished accepts them)';
    return verdict(message, 'bad');
  }
  return verdict('not passed: nothing was judged', 'bad');
}
