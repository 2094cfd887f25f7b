import { parseDollars, parseTokens } from '../../base/amounts.js';
import { UsageError } from '../../base/errors.js';
import { maxRuns } from '../../config/schemas/fields.js';
import type { Thresholds } from './thresholds.js';

/**
 * Reads thresholds, which may be numbers, or texts of a command line. Throws UsageError, also if there are none. What
 * has another key is left alone.
 */
export function parseThresholds(options: Readonly<Record<string, unknown>>): Thresholds {
  const given = (key: string) => (options[key] === undefined ? undefined : String(options[key]));
  const task = parseRate('--task', given('task'));
  const assertion = parseRate('--assertion', given('assertion'));
  const passHatK = parsePassHatK(options.passHatK ?? []);
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
  return { passHatK, task, assertion, maxCost, maxTokens, maxErrors, confidence };
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

/** A list of `{ k, rate }`, or of texts such as `3=0.6`. */
function parsePassHatK(given: unknown): Thresholds['passHatK'] {
  const found = new Map<number, number>();
  for (const wanted of Array.isArray(given) ? given : [given]) {
    const text = typeof wanted === 'string' ? wanted : `${wanted?.k}=${wanted?.rate}`;
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
