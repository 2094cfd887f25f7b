export type DurationResult =
  | { ok: true; milliseconds: number; nanoseconds: bigint }
  | { ok: false; reason: string };

// A Map, because a unit is free text: a lookup in a plain object would find "constructor".
const nanosecondsPerUnit = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n], // micro sign
  ['\u03bcs', 1_000n], // Greek letter mu, which looks the same
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

// Go collects the magnitude before it looks at the sign, so one more than the largest int64 is
// allowed on the way: it is the magnitude of the smallest one.
const largestMagnitude = 1n << 63n;

const nanosecondsPerMillisecond = 1_000_000n;
const longestQuotedUnit = 20;

const invalid: DurationResult = { ok: false, reason: 'not a duration' };
const missingUnit: DurationResult = { ok: false, reason: 'missing unit, such as "30s"' };
const overflow: DurationResult = { ok: false, reason: 'overflows' };

/** Accepts and rejects exactly what time.ParseDuration of Go does, with the same value. */
export function parseDuration(text: string): DurationResult {
  const negative = text.startsWith('-');
  let position = negative || text.startsWith('+') ? 1 : 0;
  if (position === text.length) {
    return invalid;
  }
  if (text.length === position + 1 && text.endsWith('0')) {
    return success(0n);
  }

  let total = 0n;
  while (position < text.length) {
    const whole = readWhole(text, position);
    const fraction =
      text[whole.end] === '.'
        ? readFraction(text, whole.end + 1)
        : { value: 0n, scale: 1, start: whole.end, end: whole.end };
    if (whole.end === position && fraction.end === fraction.start) {
      return invalid;
    }
    if (whole.value > largestMagnitude) {
      return overflow;
    }

    const unitEnd = endOfUnit(text, fraction.end);
    if (unitEnd === fraction.end) {
      return missingUnit;
    }
    const unit = text.slice(fraction.end, unitEnd);
    const nanosecondsInUnit = nanosecondsPerUnit.get(unit);
    if (nanosecondsInUnit === undefined) {
      return { ok: false, reason: `unknown unit ${quote(unit)}` };
    }

    // The fraction goes through a float as in Go, and in the same order, or the last nanosecond
    // would differ: 0.3333333333333333333h is 20 minutes sharp.
    const part =
      whole.value * nanosecondsInUnit +
      BigInt(Math.trunc(Number(fraction.value) * (Number(nanosecondsInUnit) / fraction.scale)));
    if (part > largestMagnitude) {
      return overflow;
    }
    // Go adds unsigned 64-bit numbers, and twice the largest magnitude wraps around to zero there.
    total = BigInt.asUintN(64, total + part);
    if (total > largestMagnitude) {
      return overflow;
    }
    position = unitEnd;
  }

  if (!negative && total === largestMagnitude) {
    return overflow;
  }
  return success(negative ? -total : total);
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

function success(nanoseconds: bigint): DurationResult {
  // Divided before the conversion, since a float holds every whole millisecond of an int64 of
  // nanoseconds but not every nanosecond.
  const milliseconds =
    Number(nanoseconds / nanosecondsPerMillisecond) +
    Number(nanoseconds % nanosecondsPerMillisecond) / 1e6;
  return { ok: true, milliseconds, nanoseconds };
}

function toNanoseconds(milliseconds: number): bigint {
  const whole = Math.trunc(milliseconds);
  return (
    BigInt(whole) * nanosecondsPerMillisecond + BigInt(Math.round((milliseconds - whole) * 1e6))
  );
}

function decimal(value: bigint, unit: bigint): string {
  const remainder = value % unit;
  const fraction = (unit + remainder).toString().slice(1).replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}

function readWhole(text: string, start: number): { value: bigint; end: number } {
  let end = start;
  let value = 0n;
  while (isDigit(text[end])) {
    // No more digits are added once it has overflowed, so that a megabyte of them costs nothing.
    if (value <= largestMagnitude) {
      value = value * 10n + BigInt(text[end] ?? 0);
    }
    end += 1;
  }
  return { value, end };
}

/** Digits beyond what 63 bits hold are read and ignored, as in Go. */
function readFraction(
  text: string,
  start: number,
): { value: bigint; scale: number; start: number; end: number } {
  let end = start;
  let value = 0n;
  let scale = 1;
  let full = false;
  while (isDigit(text[end])) {
    const next = value * 10n + BigInt(text[end] ?? 0);
    full ||= value > (largestMagnitude - 1n) / 10n || next > largestMagnitude;
    if (!full) {
      value = next;
      scale *= 10;
    }
    end += 1;
  }
  return { value, scale, start, end };
}

/** A unit is everything up to the next number, so that "1min" names the unit that is wrong. */
function endOfUnit(text: string, start: number): number {
  let end = start;
  while (end < text.length && text[end] !== '.' && !isDigit(text[end])) {
    end += 1;
  }
  return end;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function quote(unit: string): string {
  const characters = Array.from(unit.slice(0, 2 * longestQuotedUnit));
  const shown = characters.slice(0, longestQuotedUnit).join('');
  return JSON.stringify(shown.length < unit.length ? `${shown}…` : unit);
}
