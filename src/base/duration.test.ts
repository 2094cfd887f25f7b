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

/** The longest duration of Go, near which a number of milliseconds is not exact. */
const limit = 2 ** 63 / 1e6;
const units: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 60e3,
  h: 3600e3,
};
const unitNames = Object.keys(units);

// The rules of Go said a second way: a grammar, and a sum.
const unitGrammar = 'ns|us|\\u00b5s|\\u03bcs|ms|s|m|h';
const grammar = new RegExp(`^[-+]?(?:0|(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:${unitGrammar}))+)$`);
const component = new RegExp(`([0-9]*(?:\\.[0-9]*)?)(${unitGrammar})`, 'g');

function sumOf(text: string): number | null {
  if (!grammar.test(text)) return null;
  let sum = 0;
  for (const [, amount = '', unit = ''] of text.matchAll(component))
    sum += Number(amount) * (units[unit] ?? 0);
  if (sum >= limit) return null;
  return text.startsWith('-') ? -sum : sum;
}

function parsed(text: string): number | null {
  const result = parseDuration(text);
  return result.ok ? result.milliseconds : null;
}

/** Equal to a nanosecond for each of a few components, or as far as a number goes. */
function expectSame(found: number | null, expected: number | null) {
  if (found === null || expected === null) expect(found).toBe(expected);
  else expect(Math.abs(found - expected)).toBeLessThanOrEqual(5e-6 + Math.abs(expected) * 1e-15);
}

const sign = fc.constantFrom('', '', '-', '+');
const digits = (maximum: number) =>
  fc
    .array(fc.constantFrom(...'0123456789'), { maxLength: maximum })
    .map((characters) => characters.join(''));

const amount = fc
  .record({ unit: fc.constantFrom(...unitNames), whole: digits(8), fraction: digits(40) })
  .map(({ unit, whole, fraction }) => `${whole || '1'}${fraction && `.${fraction}`}${unit}`);

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
    const expected = nanoseconds === null ? null : Number(nanoseconds) / 1e6;
    const isLongest = expected !== null && Math.abs(expected) > limit * 0.999999;
    // Go adds 64 bits, so that twice its limit is nothing; here it is too long.
    const wrapsAround = /9223372036854775808ns9223372036854775808ns/.test(text);
    if (wrapsAround) expect(parsed(text)).toBeNull();
    else if (!isLongest) expectSame(parsed(text), expected);
  });

  it('accepts and rejects what the grammar and the sum say', () => {
    const text = fc
      .tuple(sign, fc.array(amount, { minLength: 1, maxLength: 4 }))
      .map(([first, components]) => first + components.join(''));
    fc.assert(
      fc.property(fc.oneof(text, scraps), (duration) => {
        expectSame(parsed(duration), sumOf(duration));
      }),
      { numRuns: 5_000 },
    );
  });

  it('gives the same value in milliseconds, with what is below one as a fraction', () => {
    expect(parseDuration('1h30m')).toEqual({ ok: true, milliseconds: 5_400_000 });
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
    expect(parsed(`${'0'.repeat(1_000_000)}1s`)).toBe(1_000);
    expect(parsed(`${'9'.repeat(1_000_000)}s`)).toBeNull();
    expect(parsed(`0.${'3'.repeat(1_000_000)}s`)).toBe(333.333333);
    expect(parsed('1ns'.repeat(300_000))).toBeCloseTo(0.3);
    expect(parsed(`1${'x'.repeat(1_000_000)}`)).toBeNull();
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
