import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor.js';
import { Secrets } from './secrets.js';

function redactorOf(value: string): Redactor {
  const secrets = new Secrets();
  secrets.add('A', value);
  return new Redactor(secrets);
}

const values = [
  'adZqpwd$77"x',
  'ZqSmtp!@#99(x)',
  `it's "q" \\ & <b> \`c\``,
  '!@#$%^&*()',
  `a'b"c$d\\e`,
  `p''w""d\\\\x\\`,
  '$\'"\\`!&<> +%',
  'two words + more%20',
  'line one\nline\ttwo',
  'pässwörd😀✓',
  '\\"leading"\\',
  'mid\\"dle\\\\$x',
];

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const times = (count: number, change: (text: string) => string, text: string): string =>
  count === 0 ? text : times(count - 1, change, change(text));
const byPercent = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*~]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
const inHtml = (quote: string, apostrophe: string) => (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);

const spellings: Record<string, (value: string) => string> = {
  'as it is': (value) => value,
  'within double quotes of a shell': (value) => value.replace(/[$`"\\]/g, String.raw`\$&`),
  'within single quotes of a shell': (value) => value.replaceAll("'", `'\\''`),
  'with an apostrophe within double quotes': (value) => value.replaceAll("'", `'"'"'`),
  'a character at a time, as a shell escapes it': (value) =>
    value.replace(/[^\w.\n\t-]/gu, String.raw`\$&`),
  "in $'...'": (value) =>
    value
      .replace(/['"\\]/g, String.raw`\$&`)
      .replaceAll('\n', '\\n')
      .replaceAll('\t', '\\t'),
  'in octal digits': (value) =>
    value.replace(/[^\w.-]/gu, (each) =>
      [...Buffer.from(each)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    ),
  'in hexadecimal escapes': (value) =>
    value.replace(/[^\w.-]/gu, (each) =>
      [...Buffer.from(each)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join(''),
    ),
  'within quotes of YAML and SQL': (value) => value.replaceAll("'", "''"),
  'in CSV': (value) => value.replaceAll('"', '""'),
  'in an address': encodeURIComponent,
  'in an address of Python': byPercent,
  'in an address with small digits': (value) =>
    byPercent(value).replace(/%../g, (code) => code.toLowerCase()),
  'in a form': (value) => byPercent(value).replaceAll('%20', '+'),
  'in an address within an address': (value) => encodeURIComponent(byPercent(value)),
  'in HTML': inHtml('&quot;', '&#39;'),
  'in HTML of Go': inHtml('&#34;', '&#39;'),
  'in HTML of Python': inHtml('&quot;', '&#x27;'),
  'in HTML within HTML': (value) => times(2, inHtml('&quot;', '&apos;'), value),
  'in JSON for HTML': (value) =>
    inJson(value).replace(/[<>&']/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
  'in JSON for ASCII': (value) =>
    inJson(value).replace(/[\u0080-\uffff]/g, (each) => {
      return `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }),
  'in JSON with slashes escaped': (value) => inJson(value).replaceAll('/', '\\/'),
  'in JSON within an address': (value) => byPercent(inJson(value)),
  'in JSON within HTML': (value) => inHtml('&quot;', '&#39;')(inJson(value)),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((depth) => [`in ${depth} JSON`, (value) => times(depth, inJson, value)]),
  ),
  'in the JSON of a shell': (value) => inJson(value.replace(/[$`"\\]/g, String.raw`\$&`)),
};

describe('a secret with characters that are quoted', () => {
  it.each(Object.entries(spellings))('is found %s', (_, spell) => {
    for (const value of values) {
      const redactor = redactorOf(value);
      const spelled = spell(value);
      const text = `it is=(${spelled}), and so on`;
      // Quoting may stand around it, and nothing of it.
      const expected = /^it is=\((?:'\\+')?\[redacted:A\]\)(?:\\'+)?, and so on$/;
      expect(redactor.text(text), `${value} as ${spelled}`).toMatch(expected);
      expect(JSON.parse(redactor.json(JSON.stringify([text])))[0]).toMatch(expected);
    }
  });

  it('is found as bash itself writes it', () => {
    for (const value of values) {
      const script = `export -p | grep -A1 ' A='; printf '%q\\n' "$A"; echo "\${A@Q}"; set | grep -A1 '^A='`;
      const env = { A: value, PATH: process.env.PATH };
      for (const LC_ALL of ['C', 'C.UTF-8']) {
        const said = execFileSync('bash', ['--norc', '-c', script], {
          env: { ...env, LC_ALL },
        }).toString();
        const redacted = redactorOf(value).text(said);
        expect(redacted.match(/\[redacted:A\]/g)?.length, `${said}\n${redacted}`).toBe(4);
      }
    }
  });

  it('is found in any mixture of spellings', () => {
    // No apostrophe: behind one, what looks quoted may be.
    const letter = fc.constantFrom('a', 'Z', '1', '"', '\\', '$', '&', '%', '+', ' ', 'é', '😀');
    const value = fc.string({ unit: letter, minLength: 8, maxLength: 14 });
    const layers = fc.array(fc.constantFrom(inJson, byPercent), { maxLength: 2 });
    fc.assert(
      fc.property(
        value.filter((each) => each.trim().length >= 8),
        layers,
        (secret, changes) => {
          const spelled = changes.reduce((text, change) => change(text), secret.trim());
          const text = redactorOf(secret).text(`(${spelled})`);
          expect(text).toMatch(/^\(.*\[redacted:A\].*\)$/);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is found in JSON and in an address where it looks quoted itself', () => {
    for (const value of [`aa'\\''bb`, 'a%2525b%25c', 'a&quot;b&amp;"', 'a\\u0022"b', `a""b'"'"'`]) {
      const spelled = [value, inJson(value), inJson(inJson(value)), encodeURIComponent(value)];
      for (const text of spelled)
        expect(redactorOf(value).text(`(${text})`)).toBe('([redacted:A])');
    }
  });

  it('is nothing that is only like it', () => {
    const redactor = redactorOf('pass$word"1');
    for (const text of ['pass\\word"1', 'pass$word1', 'pass%25word"1', 'PASS$WORD"1', 'pass$word"'])
      expect(redactor.text(text)).toBe(text);
  });

  it('may be as long as a variable can be', () => {
    for (const value of [`${'aB3'.repeat(40_000)}$`, '{"a":"b\\n"}'.repeat(10_000)]) {
      const text = `(${inJson(inJson(inJson(value)))})`;
      expect(redactorOf(value).text(text)).toBe('([redacted:A])');
    }
  });

  it('is looked for in time that grows with the text alone', () => {
    const quotes = `a${"'".repeat(40)}b${'"'.repeat(40)}c${'\\'.repeat(40)}d`;
    const redactor = redactorOf(quotes);
    const parts = ["a'", `a${"'".repeat(39)}`, '\\', '&amp;', '%25', 'a\\', `a${"'".repeat(79)}`];
    for (const part of parts) {
      const text = part.repeat(200_000 / part.length);
      expect(redactor.text(text)).toBe(text);
    }
    expect(redactor.text(inJson(inJson(quotes)))).toBe('[redacted:A]');
  });
});
