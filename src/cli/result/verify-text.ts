import { formatDollars, formatPercent } from '../../analysis/figure-text.js';
import type { ThresholdCheck, Verification } from '../../analysis/thresholds/thresholds.js';
import { plural } from '../../base/text.js';
import type { Style } from '../style.js';
import { terminalLine } from '../terminal-text.js';

/** Each threshold with what was found, and what it comes to. */
export function verifyText(
  verification: Verification,
  { style, allowUnfinished }: { style: Style; allowUnfinished: boolean },
): string {
  const { thresholds, caveats, confidence } = verification;
  const sure = confidence === null ? '' : ` (${exactPercent(confidence)} confidence)`;
  return [
    ...caveats.map((caveat) => style('yellow', terminalLine(caveat))),
    ...thresholds.map((check) => checkLine(check, sure, style)),
    '',
    verdict(verification, allowUnfinished, style),
    '',
  ].join('\n');
}

function checkLine(check: ThresholdCheck, sure: string, style: Style): string {
  const { option, variant, measure, unit, kind, limit, found, applies, holds, missedBy } = check;
  const of = variant === null ? '' : `  ${terminalLine(variant)}`;
  const note = style('dim', check.note);
  if (!applies) return `${style('dim', 'not applicable')}  ${style('bold', option)}${of}  ${note}`;
  const word = holds ? style('green', 'holds ') : style('red', 'missed');
  const shown = found === null ? 'unknown' : foundText(found, check);
  const wanted = `${kind} ${unit === 'rate' ? exactPercent(limit) : amountText(limit, unit)}`;
  const by = missedBy === null ? '' : `, missed by ${distanceText(missedBy, unit)}`;
  const name = `${measure}${unit === 'rate' ? sure : ''}`;
  return `${word}  ${style('bold', option)}${of}  ${name} ${shown}, wanted ${wanted}${by}  ${note}`;
}

function foundText(found: number, { unit, limit, holds }: ThresholdCheck): string {
  if (unit !== 'rate') return amountText(found, unit);
  const text = formatPercent(found);
  // What misses a limit must not look as if it reached it: then more digits, and rounded down.
  return holds || Number.parseFloat(text) < limit * 100 ? text : exactPercent(found);
}

function amountText(amount: number, unit: Exclude<ThresholdCheck['unit'], 'rate'>): string {
  return unit === 'dollars' ? formatDollars(amount) : amount.toLocaleString('en-US');
}

/** As somebody gave it: 0.8 is `80%`, and 0.6667 is `66.67%`. */
function exactPercent(rate: number): string {
  return `${Math.floor(rate * 10_000 + 1e-6) / 100}%`;
}

/** Never 0, however close. */
function distanceText(distance: number, unit: ThresholdCheck['unit']): string {
  if (unit === 'dollars' && distance < 0.0001) return `$${smallAmount(distance)}`;
  if (unit !== 'rate') return amountText(distance, unit);
  // As many digits as the rate has.
  const points = Number((distance * 100).toFixed(1));
  return `${points > 0 ? points : Math.ceil(distance * 10_000 - 1e-6) / 100} points`;
}

/** As many digits as show the first that counts. */
function smallAmount(amount: number): string {
  return amount.toFixed(Math.min(Math.ceil(-Math.log10(amount)), 20));
}

function verdict(verification: Verification, allowUnfinished: boolean, style: Style): string {
  const { passed, thresholds, unfinished } = verification;
  const missed = thresholds.filter(({ holds }) => !holds).length;
  if (passed) {
    const applied = thresholds.filter(({ applies }) => applies).length;
    if (applied === 0) return style('green', 'passed: no threshold applies to these results');
    return style(
      'green',
      `passed: ${applied === 1 ? 'the threshold holds' : 'every threshold holds'}`,
    );
  }
  if (missed > 0) {
    return style('red', `not passed: ${plural(missed, 'threshold')} missed`);
  }
  if (unfinished.length > 0 && !allowUnfinished) {
    return style('red', 'not passed: the results are unfinished (--allow-unfinished takes them)');
  }
  return style('red', 'not passed: nothing was judged');
}
