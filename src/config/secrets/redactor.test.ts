import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../patterns/pattern.js';
import { Redactor } from './redactor.js';
import { Secrets } from './secrets.js';

function redactorOf(values: Record<string, string>): Redactor {
  const secrets = new Secrets();
  for (const [name, value] of Object.entries(values)) secrets.add(name, value);
  return new Redactor(secrets);
}

const jwt =
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

const tokens: [string, string][] = [
  ['a sk-live-1234567890abcd b', 'a [redacted:token] b'],
  ['sk-ant-api03-AbCdEfGhIjKl', '[redacted:token]'],
  ['ghp_abcdefghijklmnopqrstuvwxyz.', '[redacted:token].'],
  ['github_pat_11ABCDEFG0123456789', '[redacted:token]'],
  ['glpat-abcdefghijklmnopqrst', '[redacted:token]'],
  ['(xoxb-123456789012-abcdef)', '([redacted:token])'],
  ['AKIAIOSFODNN7EXAMPLE', '[redacted:token]'],
  [`x\n${jwt}\ny`, 'x\n[redacted:token]\ny'],
  ['authorization: BEARER abc123def456', 'authorization: BEARER [redacted:token]'],
  ['Bearer\tabcdefghijklmnopqrstuvwxyz', 'Bearer\t[redacted:token]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [redacted:token]'],
  ['https://user:pw@host/', 'https://user:[redacted:token]@host/'],
  [`It is dop_v1_${'0a1b2c3d'.repeat(8)}.`, 'It is [redacted:token].'],
  [`npm_${'aB3dE6gH9'.repeat(4)}, and more`, '[redacted:token], and more'],
  [`{"key":"a\\nnpm_${'aB3dE6gH9'.repeat(4)}\\n"}`, '{"key":"a\\n[redacted:token]\\n"}'],
  [`NRAK-${'A1B2C3D4E'.repeat(3)}`, '[redacted:token]'],
  [`EAAC${'aB3dE6gH9kL2mN4pQ5rS7tU8vW1xY0z'.repeat(60)} x`, '[redacted:token] x'],
  [
    `a\n-----BEGIN EC PRIVATE KEY-----\n${'aB3d'.repeat(16)}\n-----END EC PRIVATE KEY-----\nb`,
    'a\n[redacted:token]\nb',
  ],
  [`-----BEGIN PRIVATE KEY-----\n${'aB3d'.repeat(16)}\n${'aB3d'.repeat(5)}`, '[redacted:token]'],
];

const ordinary = [
  'Bearer authentication',
  'Basic information about the task-management-server',
  'risk-assessment-for-everybody',
  'sk-learn-models',
  'Bearer ${TOKEN_1234567}',
  'http://localhost:8080/a@b',
  '{"url":"http://localhost:3000","mail":"bob@example.test"}',
  'http://host:80?mail=bob@example.test',
  'eyJhbGciOiJIUzI1NiJ9',
  'keyJAkiaghp_',
  `npm_${'a'.repeat(36)}`,
  `dop_v1_${'0'.repeat(64)}`,
  'access-control-allow-origin-and-more',
  '-----BEGIN PRIVATE KEY----- is how such a file begins.',
];

describe('Redactor.text', () => {
  it('replaces every secret by its name', () => {
    const redactor = redactorOf({ A: 'hunter22', B: 'a.b*c(d\\e' });
    expect(redactor.text('hunter22, a.b*c(d\\e, hunter22hunter22')).toBe(
      '[redacted:A], [redacted:B], [redacted:A][redacted:A]',
    );
    expect(redactor.text('HUNTER22 hunter2')).toBe('HUNTER22 hunter2');
  });

  it('leaves nothing of secrets that overlap', () => {
    const redactor = redactorOf({
      SHORT: 'abcdefgh',
      LONG: '0abcdefgh1',
      NEXT: 'gh123456',
      A: 'aaaaaaaa',
    });
    expect(redactor.text('x0abcdefgh1x')).toBe('x[redacted:LONG]x');
    expect(redactor.text('xabcdefghx')).toBe('x[redacted:SHORT]x');
    expect(redactor.text('xabcdefgh123456x')).toBe('x[redacted:SHORT]x');
    expect(redactor.text('x0abcdefgh123456x')).toBe('x[redacted:LONG]x');
    expect(redactor.text(`x${'a'.repeat(13)}x`)).toBe('x[redacted:A]x');
  });

  it.each(tokens)('%j', (text, redacted) => {
    expect(redactorOf({}).text(text)).toBe(redacted);
  });

  it.each(ordinary)('leaves %j alone', (text) => {
    expect(redactorOf({}).text(text)).toBe(text);
  });

  it('names a secret rather than the shape it has', () => {
    const redactor = redactorOf({
      TOKEN: 'abc123def456',
      KEY: 'sk-live-1234567890abcd',
      PW: 'hunter22',
    });
    expect(redactor.text('Bearer abc123def456')).toBe('Bearer [redacted:TOKEN]');
    expect(redactor.text('Bearer abc123def456-and-more')).toBe('Bearer [redacted:TOKEN]');
    expect(redactor.text('sk-live-1234567890abcd')).toBe('[redacted:KEY]');
    expect(redactor.text('ftp://me:hunter22@host')).toBe('ftp://me:[redacted:PW]@host');
  });

  it('finds a secret in JSON that the text quotes, and in an address', () => {
    const redactor = redactorOf({ A: 'pass"w\\rd/1' });
    const quoted = JSON.stringify({ a: 'pass"w\\rd/1' });
    expect(redactor.text(quoted)).toBe('{"a":"[redacted:A]"}');
    expect(redactor.text(quoted.replace('/', '\\/'))).toBe('{"a":"[redacted:A]"}');
    expect(redactor.text(JSON.stringify(quoted))).toBe('"{\\"a\\":\\"[redacted:A]\\"}"');
    expect(redactor.text(`?q=${encodeURIComponent('pass"w\\rd/1')}`)).toBe('?q=[redacted:A]');
  });

  it.each([
    ['it is pass"w …', 'it is [redacted:A] …'],
    ['… w\\rd/1 it was', '… [redacted:A] it was'],
    [
      'a pass"w\n[... 9 characters left out ...]\nrd/1 b',
      'a [redacted:A]\n[... 9 characters left out ...]\n[redacted:A] b',
    ],
    ['… it is pas …', '… it is pas …'],
    ['it is pass"w', 'it is pass"w'],
  ])('finds what is left of a secret beside a cut: %s', (text, expected) => {
    const redactor = redactorOf({ A: 'pass"w\\rd/1' });
    expect(redactor.text(text)).toBe(expected);
    expect(redactor.json(JSON.stringify([text]))).toBe(JSON.stringify([expected]));
  });

  it('finds a secret in base64, as Kubernetes shows it', () => {
    const redactor = redactorOf({ A: 'pass"w\\rd/1?>' });
    for (const text of ['pass"w\\rd/1?>', 'pass"w\\rd/1?>\n']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(text).toString(encoding);
        expect(redactor.text(`data: ${encoded}`).replace(/=+$/, '')).toBe('data: [redacted:A]');
      }
    }
  });

  it('finds a secret in base64 together with something else', () => {
    const redactor = redactorOf({ A: 'pass"w\\rd/1?>' });
    for (const before of ['', 'a', 'me:', 'user', 'admin']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const text = Buffer.from(`${before}pass"w\\rd/1?> behind`).toString(encoding);
        const rest = redactor.text(text).split('[redacted:A]');
        expect(rest).toHaveLength(2);
        // Nothing of it but the bits that share a character with what is before and behind.
        expect(rest.join('').length).toBeLessThanOrEqual(text.length - 16);
      }
    }
  });

  it.each([
    ['as `base64` wraps it', 76, '\n'],
    ['as `openssl` and PEM wrap it', 64, '\n'],
    ['as mail wraps it', 76, '\r\n'],
    ['indented in YAML', 76, '\n    '],
    ['in JSON', 76, String.raw`\n`],
    ['in JSON in JSON', 76, String.raw`\\r\\n`],
  ])('finds a secret across the lines of base64, %s', (_, width, lineBreak) => {
    const values = ['Zq0123456789abcdefghijklmnop', `long ${'aB3/'.repeat(60)}`];
    for (const value of values) {
      const redactor = redactorOf({ A: value });
      for (let before = 0; before < 120; before++) {
        const all = Buffer.from(`${'x'.repeat(before)}${value}${'y'.repeat(70)}`);
        const lines = all.toString('base64').match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        const text = `data: ${lines.join(lineBreak)}\nbehind`;
        const json = JSON.stringify([text]);
        const [inString] = JSON.parse(redactor.json(json)) as [string];
        for (const redacted of [redactor.text(text), inString]) {
          expect(redacted).toMatch(/^data: [^[]*\[redacted:A\][^[]*\nbehind$/);
          const left = redacted.replace(/^data: |\nbehind$/g, '').replaceAll(lineBreak, '');
          const rest = left.split('[redacted:A]').map((part) => Buffer.from(part, 'base64'));
          expect(`${rest.join('')}`).not.toMatch(/abc|0123|aB3/);
        }
      }
    }
  });

  it('leaves lines of base64 with no secret in them as they are', () => {
    const lines =
      Buffer.alloc(100_000, 'ordinary text')
        .toString('base64')
        .match(/.{1,76}/g) ?? [];
    const text = lines.join('\n');
    expect(redactorOf({ A: 'Zq0123456789abcdefghijklmnop' }).text(text)).toBe(text);
  });

  it('replaces what matches a pattern, also in JSON', () => {
    const secrets = new Secrets();
    const compiled = compilePattern('CUST-[0-9]{6}|x*');
    if (compiled.ok) secrets.addPattern(compiled.pattern);
    const redactor = new Redactor(secrets);
    expect(redactor.text('of CUST-123456.')).toBe('of [redacted:pattern].');
    expect(redactor.json('{"CUST-123456":"\\u0043UST-123456","n":1}')).toBe(
      '{"[redacted:pattern]":"[redacted:pattern]","n":1}',
    );
  });

  it('puts no secret in where it takes one out', () => {
    expect(redactorOf({ PASSWORD: 'PASSWORD' }).text('PASSWORD')).toBe('[redacted:secret]');
    expect(redactorOf({ A: 'redacted' }).text('redacted')).toBe('[...]');
  });

  it('comes to an end soon with whatever a server sends', () => {
    const redactor = redactorOf({ A: 'aaaaaaaa', B: 'aaaaaaab', C: 'sk-sk-sk-' });
    // What took the square of it would not come to an end.
    const long = (part: string) => part.repeat(200_000 / part.length);
    const parts = [
      'a',
      'eyJ',
      'eyJ-',
      'eyJabcdefg.',
      'eyJabcdef-',
      'sk-',
      'sk-aaaaaaaaaaa ',
      'ghp_',
    ];
    parts.push(
      'bearer ',
      'basic\t',
      '://a:',
      '://:::',
      ':',
      ' ',
      '\\',
      '"',
      '\\"',
      'AKIA',
      'xoxb-',
    );
    parts.push('npm_', 'key-', 'hvs.a', '-----BEGIN PRIVATE KEY-----', ' …', '0Q~');
    parts.push('ghp_aaaaaaaaaaaa ', 'eyJabcdef.abcdef.abcdef ', 'bearer a1b2c3d4 ', '://a:b@');
    for (const part of parts) {
      const text = `bearer${long(part)}`;
      expect(redactor.text(text).length).toBeGreaterThan(0);
      expect(redactor.json(JSON.stringify(text)).length).toBeGreaterThan(0);
    }
    expect(redactor.text(`bearer${long(' ')}`)).toHaveLength(200_006);
    expect(redactor.text(`://a${long(':')}`)).toHaveLength(200_004);
  });
});

it.each(['eyJ', 'bearer ', 'basic ', '://', '://a:', 'sk-', 'ghp_', 'AKIA', 'eyJabcdefg.', 'npm_'])(
  'takes a word of twenty million characters after %j, such as base64 of JSON',
  (start) => {
    const text = start + 'A1'.repeat(10_000_000);
    expect(redactorOf({}).text(text).length).toBeGreaterThan(0);
  },
);

it('takes twenty million characters of base64 in lines', () => {
  const text = `${'A1'.repeat(38)}\n`.repeat(260_000);
  expect(redactorOf({ A: 'hunter22' }).text(text)).toBe(text);
});

describe('Redactor.foreignJson', () => {
  const redactor = redactorOf({ N: '12345678', D: '-1234.5678', A: 'pass"word' });

  it('makes a text of a number that is a secret, and of no other', () => {
    const json =
      '{"12345678": [12345678,-1234.5678, 123456780, 1.12345678, -12345678, 1e12345678]}';
    expect(redactor.foreignJson(json)).toBe(
      '{"[redacted:N]": ["[redacted:N]","[redacted:D]", 123456780, 1.12345678, -12345678, 1e12345678]}',
    );
    expect(redactor.foreignJson('12345678')).toBe('"[redacted:N]"');
    expect(redactor.foreignJson('["a\\"12345678,"]')).toBe('["a\\"[redacted:N],"]');
  });

  it('leaves all else byte for byte', () => {
    const json = '{ "a" : [1.0, "12345", "pass", 1e5 ,null]}';
    expect(redactor.foreignJson(json)).toBe(json);
  });
});

describe('Redactor.json', () => {
  const redactor = redactorOf({ A: 'pass"w\\rd/1', N: '12345678', L: 'line one\nline two' });

  it('replaces in keys and values, and never in numbers', () => {
    expect(redactor.json('{"12345678": [12345678, "x12345678", 1.123456780]}')).toBe(
      '{"[redacted:N]": [12345678, "x[redacted:N]", 1.123456780]}',
    );
  });

  it('finds secrets however they are escaped', () => {
    const spellings = [
      String.raw`"pass\"w\\rd/1"`,
      String.raw`"pass\"w\\rd\/1"`,
      String.raw`"\u0070ass\u0022w\u005Crd/1"`,
      String.raw`"\u0070\u0061\u0073\u0073\u0022\u0077\u005c\u0072\u0064\u002f\u0031"`,
    ];
    for (const spelling of spellings) expect(redactor.json(spelling)).toBe('"[redacted:A]"');
    expect(redactor.json(String.raw`"line one\nline two"`)).toBe('"[redacted:L]"');
    expect(redactor.json(String.raw`"\u0042earer abc123def456"`)).toBe('"Bearer [redacted:token]"');
  });

  it('leaves all else byte for byte', () => {
    const rest = String.raw`"\u0041\/ \\u0041 C:\\users","n":1.0E+2 , "n": 12345678901234567890 ,`;
    const text = ` {${rest.replace(',"n"', ':0,"n"')}\n "k":"12345678\u2028" } `;
    expect(redactor.json(text)).toBe(text.replace('"12345678\u2028"', '"[redacted:N]\u2028"'));
  });

  it.each(tokens)('%j', (text, redacted) => {
    expect(redactorOf({}).json(JSON.stringify({ [text]: text }))).toBe(
      JSON.stringify({ [redacted]: redacted }),
    );
    expect(redactorOf({}).json(everyCharacterEscaped(text))).toBe(JSON.stringify(redacted));
  });

  it.each(ordinary)('leaves %j alone', (text) => {
    for (const json of [JSON.stringify({ [text]: text }), everyCharacterEscaped(text)]) {
      expect(redactor.json(json)).toBe(json);
    }
  });

  it('writes a name with quotes as JSON', () => {
    expect(redactorOf({ 'a"b': 'hunter22' }).json('"hunter22"')).toBe('"[redacted:a\\"b]"');
  });

  it('gives JSON in which no string holds a secret', () => {
    // No brackets: a secret must not come about where a marker meets what is beside it.
    const letter = fc.constantFrom(
      'a',
      'b',
      '"',
      '\\',
      '/',
      '\n',
      '\u0001',
      'é',
      '😀',
      ' ',
      '%',
      '1',
    );
    const secret = fc.string({ unit: letter, minLength: 8, maxLength: 12 });
    const secrets = fc.array(
      secret.filter((value) => value.trim().length >= 8),
      { minLength: 1, maxLength: 3 },
    );
    const withText = secrets.chain((values) => {
      const piece = fc.oneof(fc.constantFrom(...values), fc.string({ unit: letter, maxLength: 3 }));
      const string = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
      const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
        tree: fc.oneof(
          { maxDepth: 3 },
          string,
          fc.integer(),
          fc.array(tie('tree'), { maxLength: 3 }),
          fc.dictionary(string, tie('tree'), { maxKeys: 3 }),
        ),
      }));
      return fc.tuple(fc.constant(values), tree, fc.infiniteStream(fc.nat(3)));
    });
    fc.assert(
      fc.property(withText, ([values, tree, choices]) => {
        const own = redactorOf(
          Object.fromEntries(values.map((value, index) => [`S${index}`, value])),
        );
        const json = rewritten(JSON.stringify(tree), () => choices.next().value ?? 0);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(tree)));
        const redacted = own.json(json);
        for (const string of stringsOf(JSON.parse(redacted))) {
          for (const value of values) expect(string.includes(value.trim())).toBe(false);
        }
        if (stringsOf(tree).every((string) => own.text(string) === string)) {
          expect(redacted).toBe(json);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function everyCharacterEscaped(text: string): string {
  const codes = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}"`;
}

/** The same JSON, with other spellings of some characters in its strings. */
function rewritten(json: string, choose: () => number): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
    string.replace(/(?<!^)(\\u....|\\.|[^"\\])/g, (spelling) => {
      if (choose() !== 0) return spelling;
      const character = JSON.parse(`"${spelling}"`) as string;
      return character === '/' ? '\\/' : everyCharacterEscaped(character).slice(1, -1);
    }),
  );
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)]);
}
