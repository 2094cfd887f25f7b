import fc from 'fast-check';
import { RE2JS } from 're2js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compilePattern, getCompiledForm } from './pattern.js';
import { canMatchSomeName } from './pattern-satisfiable.js';

function verdict(source: string): boolean {
  const result = compilePattern(source);
  if (!result.ok) {
    throw new Error(`${source}: ${result.reason}`);
  }
  return canMatchSomeName(result.pattern);
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('canMatchSomeName', () => {
  it.each([
    '',
    '.',
    '.*',
    '^',
    '$',
    'pods_list',
    '^pods_list$',
    '^pods_(list|get)$',
    'pods list|pods_list',
    'pods ?list',
    'pods\\s*list',
    '^\\s*a\\s*$',
    '(?i)PODS',
    '(?i)é',
    '\\bget\\b',
    'a\\b-',
    '-\\ba',
    'a\\Bb',
    '-\\B-',
    '\\B-',
    '\\Aa\\z',
    '(?m)^a$',
    '(?m)^$|a',
    '(?s).+',
    'a|^$',
    '(^a|b$)c?',
    '(?:^|x)a',
    'a(?:$|x)',
    'x*^a',
    'a$b*',
    '[^a-z]',
    '[ -~]',
    '[^\\x00-\\x7f]',
    '\\W',
    '\\pL',
    '\\p{Cf}',
    '\\PL',
    '\\x{1F600}',
    'a{0}b',
    '(?: ){0}b',
    // The Kelvin sign and the long s are k and s when case is ignored, yet no word characters.
    '(?i)\\Bk\\B-',
    '(?i)-\\Bs',
    '\\S',
    '\\A\\b',
    '\\b\\z',
    '\\B\\z',
  ])('%j can match a name', (source) => {
    expect(verdict(source)).toBe(true);
  });

  it.each([
    'pods list',
    ' ',
    '^ *$',
    'a^b',
    'a\\Ab',
    'x+^',
    '.^',
    '$x',
    '$.',
    '\\zx',
    'a$b',
    '^$',
    '\\A\\z',
    '(?m)^$',
    'foo\\nbar',
    'foo\nbar',
    'foo\\tbar',
    'a\\x00b',
    '\\x7f',
    '[[:cntrl:]]',
    '\\s',
    '[^\\S]',
    '[\\x00-\\x20]',
    '\\pZ',
    '\\x{3000}',
    '\\x{a0}',
    '\\x{85}',
    '(?m)a^b',
    '(?m)a$b',
    '(?s)a\\n.b',
    'pods list|get pods',
    '(a|b) (c|d)',
    '^(?:\\s|$)$',
    'a\\bb',
    'a\\B-',
    '-\\Ba',
    '-\\b-',
    '\\b-\\b-',
    '\\B\\b',
    '\\Aa\\Ba\\b\\B',
    '(?i)\\Ba\\B-',
    'x{2} {1,3}y',
    '[^\\x00-\\x{10FFFF}]',
    '^\\B$',
    '^\\b$',
  ])('%j can match no name', (source) => {
    expect(verdict(source)).toBe(false);
  });

  it('never denies a pattern that a name matches', () => {
    const atom = fc.constantFrom(
      ...[
        'a',
        'b',
        'z',
        '0',
        '_',
        '-',
        '/',
        ':',
        '\\.',
        '.',
        ' ',
        '\\n',
        '\\d',
        '\\w',
        '\\W',
        '\\s',
      ],
      ...['\\S', '[a-c]', '[^a]', '[^\\w]', '\\pL', '^', '$', '\\A', '\\z', '\\b', '\\B', '(?i:B)'],
      ...['(?m:^)', '(?m:$)', '(?s:.)', '(?i:K)', '[[:punct:]]', '[^\\S]', '\\t', ''],
    );
    const repetition = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '{0}');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.tuple(atom, repetition).map(([part, times]) => (part === '' ? '' : part + times)),
        fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
        fc
          .tuple(tie('pattern'), tie('pattern'), repetition)
          .map(([left, right, times]) => `(?:${left}|${right})${times}`),
        fc.tuple(tie('pattern'), repetition).map(([part, times]) => `(${part})${times}`),
      ),
    }));
    const name = fc
      .array(fc.constantFrom(...'aabbckz00_./:-'), { minLength: 1, maxLength: 6 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(pattern, fc.array(name, { minLength: 10, maxLength: 10 }), (source, names) => {
        const result = compilePattern(source);
        fc.pre(result.ok);
        if (result.ok && names.some((candidate) => result.pattern.test(candidate))) {
          expect(canMatchSomeName(result.pattern)).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('copes with the largest program there may be', () => {
    expect(verdict(`${'x{1000}'.repeat(49)} `)).toBe(false);
    expect(verdict('x{1000}'.repeat(49))).toBe(true);
  });

  it('says yes to a pattern that was not compiled here', () => {
    expect(canMatchSomeName({ source: 'a^b', test: () => false })).toBe(true);
  });
});

describe('the internals of re2js', () => {
  // If this fails after an upgrade, read its Inst and Prog again: until then the verdict above is
  // always yes.
  it('are as this version of the analysis expects', () => {
    const result = compilePattern('^((?i:k)|b[c-d].(?s:.))$');
    const form = result.ok ? getCompiledForm(result.pattern) : undefined;
    expect(form).toBeInstanceOf(RE2JS);
    const program = (form as { re2Input: { prog: { start: number; inst: object[] } } }).re2Input
      .prog;
    expect(program.start).toBeTypeOf('number');
    expect(program.inst.map((instruction) => ({ ...instruction }))).toMatchObject([
      { op: 5 },
      { op: 4, arg: 4 },
      { op: 3 },
      { op: 8, arg: 1, runes: Int32Array.of(0x4b) },
      { op: 9, runes: Int32Array.of(0x62) },
      { op: 8, arg: 0, runes: Int32Array.of(0x63, 0x64) },
      { op: 11, runes: Int32Array.of(0, 9, 11, 0x10ffff) },
      { op: 10, runes: Int32Array.of(0, 0x10ffff) },
      { op: 1 },
      { op: 3 },
      { op: 4, arg: 8 },
      { op: 6 },
    ]);
  });

  const instruction = (operation: unknown, changes: object = {}) => ({
    ...{ op: operation, out: 0, arg: 0, runes: new Int32Array(0) },
    ...changes,
  });

  it.each([
    ['no program', {}],
    ['nothing', null],
    ['no list', { prog: { start: 0 } }],
    ['a start outside', { prog: { inst: [instruction(5)], start: 1 } }],
    ['no start', { prog: { inst: [instruction(5)] } }],
    ['an odd instruction', { prog: { inst: [7], start: 0 } }],
    ['an unknown operation', { prog: { inst: [instruction(14)], start: 0 } }],
    ['a lookbehind', { prog: { inst: [instruction(13)], start: 0 } }],
    ['a named operation', { prog: { inst: [instruction('fail')], start: 0 } }],
    ['a way out of the list', { prog: { inst: [instruction(7, { out: 9 })], start: 0 } }],
    ['a branch out of the list', { prog: { inst: [instruction(1, { arg: 9 })], start: 0 } }],
    ['no argument', { prog: { inst: [instruction(5, { arg: undefined })], start: 0 } }],
    ['other runes', { prog: { inst: [instruction(8, { runes: 'a-z' })], start: 0 } }],
  ])('are not trusted when there is %s', (what, re2Input) => {
    const fake = { re2Input, programSize: () => 1, test: () => false };
    vi.spyOn(RE2JS, 'compile').mockReturnValue(fake as unknown as RE2JS);
    expect(verdict(`fake with ${what}`)).toBe(true);
  });

  it('give a verdict when they look as expected', () => {
    const fake = { re2Input: { prog: { inst: [instruction(5)], start: 0 } }, programSize: () => 1 };
    vi.spyOn(RE2JS, 'compile').mockReturnValue(fake as unknown as RE2JS);
    expect(verdict('fake that fails')).toBe(false);
  });
});
