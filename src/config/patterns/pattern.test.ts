import fc from 'fast-check';
import { RE2JS } from 're2js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compilePattern, getCompiledForm, type Pattern, quotePattern } from './pattern.js';

function compiled(source: string): Pattern {
  const result = compilePattern(source);
  if (!result.ok) {
    throw new Error(`${source}: ${result.reason}`);
  }
  return result.pattern;
}

function refused(source: string) {
  const result = compilePattern(source);
  if (result.ok) {
    throw new Error(`${source} should have been refused`);
  }
  return result;
}

const missingArgument = 'missing argument to repetition operator';
const nestedRepetition = 'invalid nested repetition operator';
const unsupported = 'invalid or unsupported Perl syntax';
const badEscape = 'invalid escape sequence';
const badRange = 'invalid character class range';
const badCount = 'invalid repeat count';
const badName = 'invalid named capture';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('compilePattern', () => {
  it.each([
    ['', 'anything', true],
    ['list', 'pods_list_all', true],
    ['^list$', 'pods_list', false],
    ['^pods_(list|get)$', 'pods_get', true],
    ['(?i)x', 'aXb', true],
    ['a(?i)b(?-i)c', 'aBc', true],
    ['a(?i)b(?-i)c', 'aBC', false],
    ['(?i)k', '\u212a', true],
    ['[[:alpha:]]', '1a', true],
    ['[[:alpha:]]', '1é', false],
    ['[[:^alpha:]]', 'a1', true],
    ['\\pL', '1é', true],
    ['\\p{Greek}', 'α', true],
    ['\\P{Greek}', 'α', false],
    ['\\w', 'é', false],
    ['a\\z', 'ba', true],
    ['a\\z', 'ba\n', false],
    ['a$', 'ba\n', false],
    ['(?m)a$', 'ba\nc', true],
    ['\\Ab', 'ab', false],
    ['a.b', 'a\nb', false],
    ['(?s)a.b', 'a\nb', true],
    ['(?P<first>a)(?<second>b)', 'ab', true],
    ['\\Qa.b*\\E+', 'a.b**', true],
    ['\\Qa.b\\E', 'axb', false],
    ['\\Qa.b', 'a.b', true],
    ['a{,2}', 'a{,2}', true],
    ['x{', 'x{', true],
    ['\\x{1F600}', '\u{1f600}', true],
    ['^.$', '\u{1f600}', true],
    ['a||b', 'zzz', true],
    ['\\101', 'A', true],
  ])('matches like Go: %j against %j is %s', (source, text, verdict) => {
    expect(compiled(source).test(text)).toBe(verdict);
  });

  it('keeps the source', () => {
    expect(compiled('^a+$').source).toBe('^a+$');
  });

  it.each([
    // The fragment may occur earlier, where it is escaped, quoted, in a class or simply valid.
    ['a(?=b)', 1, 3, `${unsupported}: \`(?=\``],
    ['\\(?=x(?=y)', 5, 3, `${unsupported}: \`(?=\``],
    ['[(?=](?=y)', 5, 3, `${unsupported}: \`(?=\``],
    ['\\Q(?=\\E(?=y)(?=z)', 7, 3, `${unsupported}: \`(?=\``],
    ['(?i)a(?', 5, 2, `${unsupported}: \`(?\``],
    ['(?i)(?i', 4, 3, `${unsupported}: \`(?i\``],
    ['\u{1f600}(?!a)', 2, 3, `${unsupported}: \`(?!\``],
    ['a(?<=b)c', 1, 4, `${unsupported}: \`(?<=\``],
    ['a(?<!b>)c', 1, 4, `${unsupported}: \`(?<!\``],
    ['(?<=a)b', 0, 4, unsupported],
    ['a(?>b)', 1, 3, `${unsupported}: \`(?>\``],
    ['(?P<n>a)(?P=n)', 8, 3, `${unsupported}: \`(?P\``],
    ['(?ix)a', 0, 4, `${unsupported}: \`(?ix\``],
    ['(a)(?', 3, 2, `${unsupported}: \`(?\``],
    ['*', 0, 1, missingArgument],
    ['*_delete', 0, 1, `${missingArgument}: \`*\``],
    ['**', 0, 1, `${missingArgument}: \`*\``],
    ['a*b|*c', 4, 1, `${missingArgument}: \`*\``],
    ['a*b|*c|*d', 4, 1, `${missingArgument}: \`*\``],
    ['\\*[*]x*(*)', 8, 1, `${missingArgument}: \`*\``],
    ['a?(?:?b)', 5, 1, `${missingArgument}: \`?\``],
    ['a+|+?b', 3, 2, `${missingArgument}: \`+?\``],
    ['(|{2})', 2, 3, `${missingArgument}: \`{2}\``],
    ['a**', 1, 2, `${nestedRepetition}: \`**\``],
    ['a*b**c', 3, 2, `${nestedRepetition}: \`**\``],
    ['a*b*+', 3, 2, `${nestedRepetition}: \`*+\``],
    ['a+b++c', 3, 2, `${nestedRepetition}: \`++\``],
    ['a{2}b{2}{3}', 5, 6, `${nestedRepetition}: \`{2}{3}\``],
    ['a{2,1}', 1, 5, `${badCount}: \`{2,1}\``],
    ['\\{2,1}{2,1}', 6, 5, `${badCount}: \`{2,1}\``],
    ['[{2,1}]a{2,1}', 8, 5, `${badCount}: \`{2,1}\``],
    ['a{1001}', 1, 6, `${badCount}: \`{1001}\``],
    ['a{999999999999}', 1, 14, `${badCount}: \`{999999999999}\``],
    ['(a{1000}){1000}', 9, 6, `${badCount}: \`{1000}\``],
    ['(a{500}){500}?', 8, 6, `${badCount}: \`{500}?\``],
    ['((a{100}){100}){100}', 9, 5, `${badCount}: \`{100}\``],
    ['[a-', 0, 3, 'missing closing ]'],
    ['[a]b[a', 4, 2, 'missing closing ]: `[a`'],
    ['\\[a[a', 3, 2, 'missing closing ]: `[a`'],
    ['[a]]]b[', 6, 1, 'missing closing ]: `[`'],
    ['a[]', 1, 2, 'missing closing ]: `[]`'],
    ['[b-a]', 1, 3, `${badRange}: \`b-a\``],
    ['b-a[b-a]', 4, 3, `${badRange}: \`b-a\``],
    ['[[:foo:]]', 1, 7, `${badRange}: \`[:foo:]\``],
    ['[:foo:][[:foo:]]', 8, 7, `${badRange}: \`[:foo:]\``],
    ['a\\p{Foo}', 1, 7, `${badRange}: \`\\p{Foo}\``],
    ['\\\\pX\\pX', 4, 3, `${badRange}: \`\\pX\``],
    ['\\p{Greek', 0, 8, badRange],
    ['\\pLa\\p', 4, 2, `${badRange}: \`\\p\``],
    ['a\\', 1, 1, 'trailing backslash at end of expression'],
    ['\\\\\\', 2, 1, 'trailing backslash at end of expression'],
    ['[\\', 1, 1, 'trailing backslash at end of expression'],
    ['\\', 0, 1, 'trailing backslash at end of expression'],
    ['a\\Z', 1, 2, `${badEscape}: \`\\Z\``],
    ['\\\\Z\\Z', 3, 2, `${badEscape}: \`\\Z\``],
    ['\\12(a)\\1b', 6, 2, `${badEscape}: \`\\1\``],
    ['\\x{41}\\x{110000}', 6, 9, `${badEscape}: \`\\x{110000\``],
    ['[\\w\\8]', 3, 2, `${badEscape}: \`\\8\``],
    ['\\\u{1f600}', 0, 3, badEscape],
    ['[a-\\d]', 3, 2, `${badEscape}: \`\\d\``],
    ['a\\C', 1, 2, `${badEscape}: \`\\C\``],
    ['(a', 0, 1, 'missing closing )'],
    ['a(b)(c', 4, 1, 'missing closing )'],
    ['(a(b)', 0, 1, 'missing closing )'],
    ['a|(b(c', 2, 1, 'missing closing )'],
    ['\\(a[(](?:b\\)', 6, 1, 'missing closing )'],
    ['(a)(?P<n>b(', 3, 1, 'missing closing )'],
    ['(a)\\Q(\\E(b\\Q(', 8, 1, 'missing closing )'],
    ['a)', 1, 1, 'unexpected )'],
    [')', 0, 1, 'unexpected )'],
    ['(a)\\)[)]b)c)', 9, 1, 'unexpected )'],
    ['\\Q)\\E)', 5, 1, 'unexpected )'],
    ['(?P<a b>c)', 0, 8, `${badName}: \`(?P<a b>\``],
    ['x(?P<>c)', 1, 5, `${badName}: \`(?P<>\``],
    ['(?P<n>a)(?P<m', 8, 5, `${badName}: \`(?P<m\``],
    ['(?P<n>n)n(?P<n>b)', 13, 1, 'duplicate capture group name: `n`'],
    ['(?<name>n)(?<name>b)', 13, 4, 'duplicate capture group name: `name`'],
  ])('finds the mistake in %j', (source, offset, length, reason) => {
    expect(refused(source)).toMatchObject({ offset, length, reason });
  });

  it.each([
    ['*_delete', /not a glob: did you mean \.\*_delete\?$/],
    ['*', /not a glob: did you mean \.\*\?$/],
    ['**/*.ts', /not a glob: did you mean \.\*\/\.\*\\\.ts\?$/],
    ['pods_**', /not a glob: did you mean pods_\.\*\?$/],
    ['*_delete|*_remove', /did you mean \.\*_delete\|\.\*_remove\?$/],
    ['(*_delete|*_remove)$', /did you mean \(\.\*_delete\|\.\*_remove\)\$\?$/],
    ['(?:*a)', /not a glob$/],
    ['?a', /^to match a literal \?, write \\\?$/],
    ['a++', /no possessive quantifiers/],
    ['a{2}{3}', /group/],
    ['a(?=b)', /no lookahead/],
    ['a(?!b)', /no lookahead/],
    ['(?<=a)b', /no lookbehind/],
    ['(?<!a)b', /no lookbehind/],
    ['(?>a)', /no atomic groups/],
    ['(?P<n>a)(?P=n)', /no backreferences/],
    ['(a)\\1', /no backreferences/],
    ['(a)\\k<n>', /no backreferences/],
    ['(?P<a-b>c)', /letters, digits and _/],
    ['(?x)a', /flags i, m, s and U/],
    ['a\\Z', /\\z/],
    ['\\u0041', /\\x\{1F600\}/],
    ['[a-\\d]', /range cannot go to \\d/],
    ['C:\\Users', /\\\\$/],
    ['a{2,1}', /lower number/],
    ['a{1001}', /1000/],
    ['[b-a]', /lower character/],
    ['\\p{Foo}', /no character class/],
    ['items[0', /literal \[, write \\\[/],
    ['list(pods', /literal \(, write \\\(/],
    ['list)', /literal \), write \\\)/],
    ['a\\', /literal \\, write \\\\/],
  ])('hints at the way out of %j', (source, hint) => {
    expect(refused(source).hint).toMatch(hint);
  });

  it('has no hint where there is nothing to add', () => {
    expect(refused('(?P<n>a)(?P<n>b)')).not.toHaveProperty('hint');
  });

  it('refuses a pattern longer than 1000 UTF-16 units', () => {
    expect(compilePattern('a'.repeat(1_000)).ok).toBe(true);
    expect(refused('a'.repeat(1_002))).toEqual({
      ok: false,
      offset: 1_000,
      length: 2,
      reason: 'longer than 1000 characters',
    });
    expect(compilePattern('\u{1f600}'.repeat(501)).ok).toBe(false);
  });

  it.each([
    ['nested counts', '((a{100}){100}){100}'],
    ['large counts', '(a{1000}){1000}'],
    ['many small counts', '((((((a{9}){9}){9}){9}){9}){9}){9}'],
    ['a long text repeated', `(?:${'a'.repeat(900)}){1000}`],
    ['counts side by side', 'x{1000}'.repeat(100)],
    ['open groups', '('.repeat(1_000)],
    ['open groups of classes', '(\\pL'.repeat(250)],
  ])('refuses what would grow too large: %s', (_, source) => {
    expect(compilePattern(source).ok).toBe(false);
  });

  it.each([
    ...['(a+)+$', '(a|a)*b', '(.*)*x', '(a|aa)+$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'],
    // The engine looks for the letters first, so these have them in the text.
    ...['^(a+)+!$', '^(a|a)*bx$', '^(.*)*x$', '(a|b)*a(a|b){12}b$', '(a?){500}a{500}b$'],
  ])('ends with %s, which backtracks forever elsewhere', (source) => {
    const repeated = 'a'.repeat(100_000);
    expect(compiled(source).test(repeated + (source.endsWith('$') ? 'bx!.' : '!'))).toBe(false);
  });

  it('takes a lone surrogate and a NUL in the pattern and in the text', () => {
    const odd = ['\ud83d', '\ude00', '\0', 'a\ud83db', '[\ud83d-\udfff]', '\\\ud83d', '(?i)\udfff'];
    for (const source of odd) {
      const result = compilePattern(source);
      for (const text of [...odd, '\u{1f600}', '']) {
        expect(() => (result.ok ? result.pattern.test(text) : undefined)).not.toThrow();
      }
    }
    expect(compiled('a\0b').test('xa\0b')).toBe(true);
    expect(compiled('^.$').test('\ud83d')).toBe(true);
  });

  it('refuses with a place inside the pattern, or compiles, whatever it is given', () => {
    const parts = fc.constantFrom(
      ...[
        'a',
        'b',
        '*',
        '+',
        '?',
        '|',
        '(',
        ')',
        '[',
        ']',
        '^',
        '$',
        '.',
        '-',
        '\\',
        '{2}',
        '{2,1}',
      ],
      ...['(?', '(?:', '(?i)', '(?=', '(?<', '(?P<n>', '\\Q', '\\E', '\\d', '\\pL', '\\x{', '\\1'],
      ...['[:alpha:]', '[:', '{1000}', '{', '}', '\u{1f600}', '\ud83d', '\0', '>', 'é'],
    );
    const sources = fc.array(parts, { maxLength: 20 }).map((list) => list.join(''));
    fc.assert(
      fc.property(fc.oneof(sources, fc.string({ unit: 'binary' })), (source) => {
        const result = compilePattern(source);
        if (result.ok) {
          result.pattern.test(source);
          return;
        }
        expect(result.reason).not.toBe('');
        expect(result.offset).toBeGreaterThanOrEqual(0);
        expect(result.length).toBeGreaterThanOrEqual(1);
        expect(result.offset + result.length).toBeLessThanOrEqual(source.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('turns any exception of the engine into a refusal', () => {
    const failure = vi.spyOn(RE2JS, 'compile').mockImplementation(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect(refused('engine-failure')).toEqual({
      ok: false,
      offset: 0,
      length: 14,
      reason: 'cannot be compiled: Maximum call stack size exceeded',
    });
    failure.mockImplementation(() => {
      throw 'a text';
    });
    expect(refused('engine-oddity').reason).toBe('cannot be compiled: a text');
  });

  it('compiles the same source once, and forgets the oldest of many', () => {
    const compile = vi.spyOn(RE2JS, 'compile');
    const first = compiled('cache-first');
    expect(compiled('cache-first')).toBe(first);
    expect(compile).toHaveBeenCalledTimes(1);
    for (let index = 0; index < 999; index += 1) {
      compiled(`cache-${index}`);
    }
    expect(compiled('cache-first')).toBe(first);
    for (let index = 999; index < 2_000; index += 1) {
      compiled(`cache-${index}`);
    }
    expect(compiled('cache-first')).not.toBe(first);
  });

  it('keeps fewer of the large ones', () => {
    const first = compiled('large-first');
    for (let index = 0; index < 30; index += 1) {
      compiled(`large-${index}${'x{1000}'.repeat(20)}`);
    }
    expect(compiled('large-first')).not.toBe(first);
  });
});

describe('compiledForm', () => {
  it('is known for a compiled pattern only', () => {
    expect(getCompiledForm(compiled('known'))).toBeInstanceOf(RE2JS);
    expect(getCompiledForm({ source: 'known', test: () => true })).toBeUndefined();
  });
});

describe('a quoted text', () => {
  it('matches itself and nothing else', () => {
    const text = fc.string({
      unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), metaCharacter),
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const pattern = compiled(`^(?:${quotePattern(one)})\\z`);
        expect(pattern.test(one)).toBe(true);
        expect(pattern.test(other)).toBe(one === other);
      }),
    );
  });

  it.each(['a-z', '^a', ']|.*', '[:alpha:]', '\\d'])('is no syntax within brackets: %s', (text) => {
    const pattern = compiled(`^[${quotePattern(text)}]+$`);
    expect([pattern.test(text), pattern.test('m')]).toEqual([true, false]);
  });
});

const metaCharacter = fc.constantFrom(...'.^$*+?()[]{}|\\-&~:=!<>PQE');
