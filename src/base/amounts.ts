import { parseDuration } from './duration.js';
import { UsageError } from './errors.js';

/** A whole number, as an option or an answer names it. Throws UsageError. */
export function parseWholeNumber(
  option: string,
  text: string,
  most: number,
  { least = 1, unit = '', or = '' }: { least?: number; unit?: string; or?: string } = {},
): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const what = unit === '' ? 'a whole number' : `a whole number of ${unit}`;
  throw unexpected(option, `${what} from ${least} to ${most}${or}`, text);
}

/** US dollars. Throws UsageError. */
export function parseDollars(option: string, text: string): number {
  if (/^(\d+\.?\d*|\.\d+)$/.test(text)) return Number(text);
  throw unexpected(option, 'a number of dollars', text, 'write it like 2.50');
}

const factors: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 };

/** Tokens, also as `500k`, `1.5M` and `1e6`. Throws UsageError. */
export function parseTokens(option: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?(?:e\d+)?)([km]?)$/i.exec(text) ?? [];
  const tokens = number === '' ? Number.NaN : Number(number) * (factors[unit.toLowerCase()] ?? 1);
  // 1.1M is 1100000.0000000002 of them.
  const whole = Math.round(tokens);
  if (Number.isSafeInteger(whole) && Math.abs(tokens - whole) < 1e-6) return whole;
  throw unexpected(option, 'a whole number', text, 'write it like 200000, 500k or 2M');
}

/** Milliseconds of a duration that is more than zero; `what` names it for the message. Throws UsageError. */
export function parsePositiveDuration(option: string, text: string, what: string): number {
  const result = parseDuration(text);
  if (result.ok && result.milliseconds > 0) return result.milliseconds;
  const reason = result.ok ? `${what} is more than zero` : result.reason;
  const message = `${option}: invalid duration ${JSON.stringify(text)}: ${reason}`;
  throw new UsageError(message, 'write it like 300ms, 30s, 5m or 1h30m');
}

/** Milliseconds of a duration between two others. Throws UsageError. */
export function parseBoundedDuration(
  option: string,
  text: string,
  { least, most }: { least: string; most: string },
): number {
  const asked = parseMilliseconds(text);
  const [from = 0, to = 0] = [parseMilliseconds(least), parseMilliseconds(most)];
  if (asked !== undefined && asked >= from && asked <= to) return asked;
  const expected = `a duration from ${least} to ${most}`;
  throw unexpected(option, expected, text, 'write it like 30s, 5m or 1h30m');
}

function parseMilliseconds(text: string): number | undefined {
  const result = parseDuration(text);
  return result.ok ? result.milliseconds : undefined;
}

function unexpected(option: string, expected: string, text: string, hint?: string): UsageError {
  return new UsageError(`${option}: expected ${expected}, found ${JSON.stringify(text)}`, hint);
}
