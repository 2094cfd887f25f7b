import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.js';

interface Vector {
  text: string;
  nanoseconds: string | null;
}

// Verdicts and values printed by time.ParseDuration of Go 1.26.
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../../test/fixtures/go-durations.json', import.meta.url), 'utf8'),
);

const magnitude = 1n << 63n;
const units: Record<string, bigint> = {
  ns: 1n,
  us: 10n ** 3n,
  µs: 10n ** 3n,
  μs: 10n ** 3n,
  ms: 10n ** 6n,
  s: 10n ** 9n,
  m: 60n * 10n ** 9n,
  h: 3600n * 10n ** 9n,
};
const unitNames = Object.keys(units);

// The rules of Go said a second way: a grammar, and a sum of exact numbers.
const unitGrammar = 'ns|us|\\u00b5s|\\u03bcs|ms|s|m|h';
const grammar = new RegExp(`^[-+]?(?:0|(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:${unitGrammar}))+)$`);
const component = new RegExp(`([0-9]*)(?:\\.([0-9]*))?(${unitGrammar})`, 'g');

function exactNanoseconds(text: string): bigint | null {
  if (!grammar.test(text)) {
    return null;
  }
  let sum = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(component)) {
    const size = units[unit] ?? 0n;
    const part =
      BigInt(whole) * size + (BigInt(fraction || '0') * size) / 10n ** BigInt(fraction.length);
    sum += part;
    if (part > magnitude || (sum > magnitude && sum !== 2n * magnitude)) {
      return null;
    }
    sum %= 2n * magnitude;
  }
  if (text.startsWith('-')) {
    return -sum;
  }
  return sum === magnitude ? null : sum;
}

function parsedNanoseconds(text: string): bigint | null {
  const result = parseDuration(text);
  return result.ok ? result.nanoseconds : null;
}

const sign = fc.constantFrom('', '', '-', '+');
const digits = (maximum: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { maxLength: maximum })
    .map((characters) => characters.join(''));

/** Whole numbers of a unit, many of them a step or two away from the largest that is allowed. */
const wholeComponent = fc
  .record({
    unit: fc.constantFrom(...unitNames),
    digits: digits(6),
    nearLimit: fc.boolean(),
    step: fc.bigInt({ min: -2n, max: 2n }),
    divisor: fc.constantFrom(1n, 1n, 2n, 3n, 10n),
  })
  .map(({ unit, digits: text, nearLimit, step, divisor }) => {
    const limit = magnitude / (units[unit] ?? 1n) / divisor + step;
    return `${nearLimit ? limit : text || '0'}${unit}`;
  });

/** Few enough digits that the fraction is a whole number of nanoseconds. */
const exactFraction = fc
  .record({
    unit: fc.constantFrom('us', 'µs', 'μs', 'ms', 's', 'm', 'h'),
    whole: digits(5),
    digits: digits(9),
  })
  .map(({ unit, whole, digits: text }) => {
    const precision = Math.min(9, String(units[unit]).length - 1);
    return `${whole || '1'}.${text.slice(0, precision)}${unit}`;
  });

const scraps = fc
  .array(
    fc.constantFrom(...unitNames, ...'0123456789', '.', '.', '-', '+', ' ', 'd', 'e', 'µ', '٣'),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));

describe('parseDuration', () => {
  it('has vectors of both kinds to check', () => {
    expect(vectors.length).toBeGreaterThan(500);
    expect(vectors.filter((vector) => vector.nanoseconds === null).length).toBeGreaterThan(200);
  });

  it.each(vectors)('agrees with Go on $text', ({ text, nanoseconds }) => {
    const expected = nanoseconds === null ? null : BigInt(nanoseconds);
    expect(parsedNanoseconds(text)).toBe(expected);
  });

  it('accepts and rejects what the grammar and the exact sum say', () => {
    const text = fc
      .tuple(
        sign,
        fc.array(fc.oneof(wholeComponent, exactFraction), { minLength: 1, maxLength: 4 }),
      )
      .map(([first, components]) => first + components.join(''));
    fc.assert(
      fc.property(fc.oneof(text, scraps), (duration) => {
        expect(parsedNanoseconds(duration)).toBe(exactNanoseconds(duration));
      }),
      { numRuns: 5_000 },
    );
  });

  it('is within a nanosecond of the exact value for fractions of any length', () => {
    const text = fc
      .record({ sign, whole: digits(3), digits: digits(40), unit: fc.constantFrom(...unitNames) })
      .map((parts) => `${parts.sign}${parts.whole || '0'}.${parts.digits}${parts.unit}`);
    fc.assert(
      fc.property(text, (duration) => {
        const exact = exactNanoseconds(duration) ?? 0n;
        const difference = (parsedNanoseconds(duration) ?? 10n ** 30n) - exact;
        expect(difference >= -1n && difference <= 1n).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same value in milliseconds, with what is below one as a fraction', () => {
    expect(parseDuration('1h30m')).toEqual({
      ok: true,
      milliseconds: 5_400_000,
      nanoseconds: 5_400_000_000_000n,
    });
    expect(parseDuration('-1500us')).toMatchObject({ milliseconds: -1.5 });
    expect(parseDuration('250ns')).toMatchObject({ milliseconds: 0.00025 });
    expect(parseDuration('9223372036854ms')).toMatchObject({ milliseconds: 9_223_372_036_854 });
  });

  it.each([
    ['', 'not a duration'],
    ['soon', 'not a duration'],
    ['1s-', 'unknown unit "s-"'],
    ['.s', 'not a duration'],
    ['30', 'missing unit, such as "30s"'],
    ['1m30', 'missing unit, such as "30s"'],
    ['1.5.5s', 'missing unit, such as "30s"'],
    ['2d', 'unknown unit "d"'],
    ['5 m', 'unknown unit " m"'],
    ['1constructor', 'unknown unit "constructor"'],
    ['1\n', 'unknown unit "\\n"'],
    [`1${'x'.repeat(50)}`, `unknown unit "${'x'.repeat(20)}…"`],
    [`1${'\u{1f600}'.repeat(21)}`, `unknown unit "${'\u{1f600}'.repeat(20)}…"`],
    ['9223372036854775808ns', 'overflows'],
    ['9223372036854775809', 'overflows'],
    ['3000000h', 'overflows'],
    ['2562047h47m16.854775808s', 'overflows'],
  ])('says what is wrong with %j', (text, reason) => {
    expect(parseDuration(text)).toEqual({ ok: false, reason });
  });

  it('reads a text of a million characters', () => {
    expect(parsedNanoseconds(`${'0'.repeat(1_000_000)}1s`)).toBe(1_000_000_000n);
    expect(parsedNanoseconds(`${'9'.repeat(1_000_000)}s`)).toBeNull();
    expect(parsedNanoseconds(`0.${'3'.repeat(1_000_000)}s`)).toBe(333_333_333n);
    expect(parsedNanoseconds('1ns'.repeat(300_000))).toBe(300_000n);
    expect(parsedNanoseconds(`1${'x'.repeat(1_000_000)}`)).toBeNull();
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [-0, '0s'],
    [1, '1ms'],
    [300, '300ms'],
    [999, '999ms'],
    [1_000, '1s'],
    [1_500, '1.5s'],
    [1_050, '1.05s'],
    [30_000, '30s'],
    [60_000, '1m'],
    [60_500, '1m0.5s'],
    [90_000, '1m30s'],
    [300_000, '5m'],
    [3_600_000, '1h'],
    [3_601_000, '1h1s'],
    [5_400_000, '1h30m'],
    [86_400_000, '24h'],
    [-90_000, '-1m30s'],
    [0.25, '250µs'],
    [0.0015, '1.5µs'],
    [0.000_002, '2ns'],
    [1.5, '1.5ms'],
    [0.000_000_1, '0s'],
    [999.999_999_9, '1s'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [Number.NaN, 'NaN'],
  ])('writes %d as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it('is read back as the same number of milliseconds', () => {
    const longest = 9_223_372_036_854;
    const milliseconds = fc.oneof(
      fc.integer({ min: -100_000_000, max: 100_000_000 }),
      fc.integer({ min: -longest, max: longest }),
    );
    fc.assert(
      fc.property(milliseconds, (value) => {
        expect(parseDuration(formatDuration(value))).toMatchObject({ milliseconds: value });
      }),
      { numRuns: 2_000, examples: [[0], [1], [longest], [-longest]] },
    );
  });
});
