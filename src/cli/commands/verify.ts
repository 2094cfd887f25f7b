import { formatDollars, formatPercent } from '../../analysis/figure-text.js';
import { listUnlikeCaveats } from '../../analysis/judging-differences.js';
import type {
  ThresholdCheck,
  Thresholds,
  Verification,
} from '../../analysis/thresholds/thresholds.js';
import { verifySummary } from '../../analysis/thresholds/verify-summary.js';
import { parseDollars, parseTokens } from '../../base/amounts.js';
import { plural } from '../../base/text.js';
import { maxRuns } from '../../config/schemas/fields.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { parseVariantPattern, showLeftOut, summarizeFiles } from '../result/chosen-results.js';
import { jsonText, type Style, styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { arguments: paths, options, io } = call;
  const thresholds = parseThresholds(call);
  const allowUnfinished = options.allowUnfinished === true;
  const summary = await summarizeFiles(io, paths, { variants: parseVariantPattern(options) });
  showLeftOut(summary.leftOut, io);
  const unlike = summary.unlikeJudging.filter(({ betweenFiles }) => betweenFiles);
  if (unlike.length > 0) {
    const message = `these files are no sample of one thing: ${listUnlikeCaveats(unlike).join('; ')}`;
    throw new UsageError(message, 'verify each alone, or merge them with --force');
  }
  const verification = verifySummary(summary, thresholds, { allowUnfinished });
  if (options.output === 'json') {
    io.stdout.write(jsonText({ ...verification, leftOut: summary.leftOut }));
  } else {
    const style = styleFor(io.stdout, io.environment);
    printText(io.stdout, renderVerify(verification, { style, allowUnfinished }));
  }
  return verification.passed ? exitCodes.ok : exitCodes.failed;
}

/** Each threshold with what was found, and what it comes to. */
function renderVerify(
  verification: Verification,
  { style, allowUnfinished }: { style: Style; allowUnfinished: boolean },
): string {
  const { thresholds, caveats, confidence } = verification;
  const sure = confidence === null ? '' : ` (${formatExactPercent(confidence)} confidence)`;
  return [
    ...caveats.map((caveat) => style('yellow', terminalLine(caveat))),
    ...thresholds.map((check) => checkLine(check, sure, style)),
    '',
    formatVerdict(verification, allowUnfinished, style),
    '',
  ].join('\n');
}

function checkLine(check: ThresholdCheck, sure: string, style: Style): string {
  const { option, variant, measure, unit, kind, limit, found, applies, holds, missedBy } = check;
  const of = variant === null ? '' : `  ${terminalLine(variant)}`;
  const note = style('dim', check.note);
  if (!applies) return `${style('dim', 'not applicable')}  ${style('bold', option)}${of}  ${note}`;
  const word = holds ? style('green', 'holds ') : style('red', 'missed');
  const shown = found === null ? 'unknown' : formatFound(found, check);
  const wanted = `${kind} ${unit === 'rate' ? formatExactPercent(limit) : formatAmount(limit, unit)}`;
  const by = missedBy === null ? '' : `, missed by ${formatDistance(missedBy, unit)}`;
  const name = `${measure}${unit === 'rate' ? sure : ''}`;
  return `${word}  ${style('bold', option)}${of}  ${name} ${shown}, wanted ${wanted}${by}  ${note}`;
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

function formatVerdict(verification: Verification, allowUnfinished: boolean, style: Style): string {
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

/** The thresholds of the command line, checked. Throws UsageError, also if there are none. */
function parseThresholds({ options }: CommandRun): Thresholds {
  const given = (key: string) => (typeof options[key] === 'string' ? options[key] : undefined);
  const task = parseRate('--task', given('task'));
  const assertion = parseRate('--assertion', given('assertion'));
  const passHatK = parsePassHatK(Array.isArray(options.passHatK) ? options.passHatK : []);
  const [cost, tokens] = [given('maxCost'), given('maxTokens')];
  const maxCost = cost === undefined ? undefined : parseDollars('--max-cost', cost);
  const maxTokens = tokens === undefined ? undefined : parseTokens('--max-tokens', tokens);
  const maxErrors = count('--max-errors', given('maxErrors'));
  const confidence = parseConfidence(given('confidence'));
  const hasRate = task !== undefined || assertion !== undefined || passHatK.length > 0;
  if (!hasRate && [maxCost, maxTokens, maxErrors].every((limit) => limit === undefined)) {
    throw new UsageError('there is no threshold', 'give one, such as --task 0.8');
  }
  if (!hasRate && confidence !== undefined) {
    const hint = 'give --task, --assertion or --pass-hat-k, or leave it out';
    throw new UsageError('--confidence: there is no threshold on a rate', hint);
  }
  return {
    passHatK,
    ...(task !== undefined && { task }),
    ...(assertion !== undefined && { assertion }),
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxErrors !== undefined && { maxErrors }),
    ...(confidence !== undefined && { confidence }),
  };
}

const decimal = /^(\d+\.?\d*|\.\d+)$/;

/** A rate of 0 would ask for nothing. */
function parseRate(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  if (number > 0 && number <= 1) return number;
  throw senseless(option, 'a number over 0, up to 1', text, 'write 0.8 for 80 percent');
}

const leastConfidence = 0.5;
const mostConfidence = 0.9999;

function parseConfidence(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = decimal.test(text) ? Number(text) : Number.NaN;
  if (number >= leastConfidence && number <= mostConfidence) return number;
  const expected = `a number from ${leastConfidence} to ${mostConfidence}`;
  throw senseless('--confidence', expected, text, 'write 0.95 for 95 percent');
}

function parsePassHatK(texts: readonly string[]): Thresholds['passHatK'] {
  const found = new Map<number, number>();
  for (const text of texts) {
    const [, number = '', share = ''] = /^(\d+)=(.*)$/.exec(text) ?? [];
    const k = Number(number);
    if (!(k >= 1 && k <= maxRuns)) {
      throw senseless('--pass-hat-k', 'a number of runs and a rate', text, 'write it like 3=0.6');
    }
    if (found.has(k)) throw new UsageError(`--pass-hat-k: ${k} is there twice`);
    found.set(k, parseRate('--pass-hat-k', share) ?? 0);
  }
  return [...found].map(([k, rate]) => ({ k, rate }));
}

function count(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d+(e\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw senseless(option, 'a whole number', text);
}

function senseless(option: string, expected: string, text: string, hint?: string): UsageError {
  return new UsageError(`${option}: expected ${expected}, found ${JSON.stringify(text)}`, hint);
}
