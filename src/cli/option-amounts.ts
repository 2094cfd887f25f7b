import { UsageError } from './exit-codes.js';

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

function unexpected(option: string, expected: string, text: string, hint: string): UsageError {
  return new UsageError(`${option}: expected ${expected}, found ${JSON.stringify(text)}`, hint);
}
