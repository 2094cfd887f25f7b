export type DurationResult = { ok: true; milliseconds: number } | { ok: false; reason: string };

// A Map, because a unit is free text: a lookup in a plain object would find "constructor".
const nanosecondsPerUnit = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['\u00b5s', 1e3], // micro sign
  ['\u03bcs', 1e3], // Greek letter mu, which looks the same
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** The longest duration of Go: what 63 bits of nanoseconds hold. */
const maxMilliseconds = 2 ** 63 / 1e6;
const longestQuotedUnit = 20;

/** A number and its unit, which is everything up to the next number: so "1min" names the unit that is wrong. */
const component = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;

/**
 * Reads a duration such as `1h30m`, as time.ParseDuration of Go does: with the same verdict and, up to
 * the precision of a number, the same value. Parts of nanoseconds are dropped.
 */
export function parseDuration(text: string): DurationResult {
  const digits = text.replace(/^[-+]/, '');
  if (digits === '0') return { ok: true, milliseconds: 0 };
  if (digits === '') return { ok: false, reason: 'not a duration' };
  let milliseconds = 0;
  component.lastIndex = text.length - digits.length;
  while (component.lastIndex < text.length) {
    const [, whole = '', fraction = '', unit = ''] = component.exec(text) ?? [];
    if (whole + fraction === '') return { ok: false, reason: 'not a duration' };
    if (Number(whole) >= 2 ** 63) return { ok: false, reason: 'overflows' };
    if (unit === '') return { ok: false, reason: 'missing unit, such as "30s"' };
    const nanoseconds = nanosecondsPerUnit.get(unit);
    if (nanoseconds === undefined) return { ok: false, reason: `unknown unit ${quote(unit)}` };
    milliseconds += toMilliseconds(Number(whole), nanoseconds);
    milliseconds += Math.trunc(Number(`0.${fraction}`) * nanoseconds) / 1e6;
    if (milliseconds >= maxMilliseconds) return { ok: false, reason: 'overflows' };
  }
  return { ok: true, milliseconds: text.startsWith('-') ? -milliseconds : milliseconds };
}

/** Multiplies or divides by a whole number, so that whole milliseconds stay whole. */
function toMilliseconds(amount: number, nanoseconds: number): number {
  return nanoseconds < 1e6 ? amount / (1e6 / nanoseconds) : amount * (nanoseconds / 1e6);
}

/** The short form for people: 1h30m, not 1h30m0s. */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) {
    return String(milliseconds);
  }
  const sign = milliseconds < 0 ? '-' : '';
  const magnitude = toNanoseconds(Math.abs(milliseconds));
  if (magnitude === 0n) {
    return '0s';
  }
  if (magnitude < 1_000n) {
    return `${sign}${magnitude}ns`;
  }
  if (magnitude < 1_000_000n) {
    return `${sign}${decimal(magnitude, 1_000n)}\u00b5s`;
  }
  if (magnitude < 1_000_000_000n) {
    return `${sign}${decimal(magnitude, 1_000_000n)}ms`;
  }

  const hours = magnitude / 3_600_000_000_000n;
  const minutes = (magnitude / 60_000_000_000n) % 60n;
  const belowMinute = magnitude % 60_000_000_000n;
  return [
    sign,
    hours > 0n ? `${hours}h` : '',
    minutes > 0n ? `${minutes}m` : '',
    belowMinute > 0n ? `${decimal(belowMinute, 1_000_000_000n)}s` : '',
  ].join('');
}

function toNanoseconds(milliseconds: number): bigint {
  const whole = Math.trunc(milliseconds);
  return BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6));
}

function decimal(value: bigint, unit: bigint): string {
  const remainder = value % unit;
  const fraction = (unit + remainder).toString().slice(1).replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}

function quote(unit: string): string {
  const characters = Array.from(unit.slice(0, 2 * longestQuotedUnit));
  const shown = characters.slice(0, longestQuotedUnit).join('');
  return JSON.stringify(shown.length < unit.length ? `${shown}…` : unit);
}
