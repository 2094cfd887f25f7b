import { dollars } from '../../analysis/amount-text.js';
import type { ThresholdCheck, Verification } from '../../analysis/thresholds/thresholds.js';
import { plural } from '../../config/plural.js';
import type { Style } from '../style.js';
import { terminalLine } from '../terminal-text.js';

/** Each threshold with what was found, and what it comes to. */
export function verifyText(
  verification: Verification,
  { style, allowUnfinished }: { style: Style; allowUnfinished: boolean },
): string {
  const { thresholds, caveats, confidence } = verification;
  const sure = confidence === null ? '' : ` (${rateText(confidence)} confidence)`;
  return [
    ...caveats.map((caveat) => style('yellow', terminalLine(caveat))),
    ...thresholds.map((check) => checkLine(check, sure, style)),
    '',
    verdict(verification, allowUnfinished, style),
    '',
  ].join('\n');
}

function checkLine(check: ThresholdCheck, sure: string, style: Style): string {
  const { option, variant, measure, unit, kind, limit, found, holds, missedBy, note } = check;
  const word = holds ? style('green', 'holds ') : style('red', 'missed');
  const shown = found === null ? 'unknown' : amountText(found, unit);
  const wanted = `${kind} ${amountText(limit, unit)}`;
  const by = missedBy === null ? '' : `, missed by ${distanceText(missedBy, unit)}`;
  const name = `${measure}${unit === 'rate' ? sure : ''}`;
  const of = variant === null ? '' : `  ${terminalLine(variant)}`;
  return `${word}  ${style('bold', option)}${of}  ${name} ${shown}, wanted ${wanted}${by}  ${style('dim', note)}`;
}

function amountText(amount: number, unit: ThresholdCheck['unit']): string {
  if (unit === 'rate') return rateText(amount);
  return unit === 'dollars' ? dollars(amount) : amount.toLocaleString('en-US');
}

/** Rounded down: what misses a limit must not look as if it reached it. */
function rateText(rate: number): string {
  return `${Math.floor(rate * 10_000 + 1e-6) / 100}%`;
}

/** Never 0, however close. */
function distanceText(distance: number, unit: ThresholdCheck['unit']): string {
  if (unit === 'dollars' && distance < 0.0001) return `$${smallAmount(distance)}`;
  if (unit !== 'rate') return amountText(distance, unit);
  return `${Math.ceil(distance * 10_000 - 1e-6) / 100} points`;
}

/** As many digits as show the first that counts. */
function smallAmount(amount: number): string {
  return amount.toFixed(Math.min(Math.ceil(-Math.log10(amount)), 20));
}

function verdict(verification: Verification, allowUnfinished: boolean, style: Style): string {
  const { passed, thresholds, unfinished } = verification;
  const missed = thresholds.filter(({ holds }) => !holds).length;
  if (passed) {
    const all = thresholds.length === 1 ? 'the threshold holds' : 'every threshold holds';
    return style('green', `passed: ${all}`);
  }
  if (missed > 0) {
    return style('red', `not passed: ${plural(missed, 'threshold')} missed`);
  }
  if (unfinished.length > 0 && !allowUnfinished) {
    return style('red', 'not passed: the results are unfinished (--allow-unfinished takes them)');
  }
  return style('red', 'not passed: nothing was judged');
}
