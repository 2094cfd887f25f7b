import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUsedFields, parseTemplate } from './go-template.js';
import { quoteString, renderTemplate } from './render-template.js';
import { parseStringLiteral } from './template-tokens.js';

const values = { A: 'a', B: 'b "c"\n', Empty: '' };

function render(source: string, data: Partial<Parameters<typeof renderTemplate>[1]> = {}) {
  const { template, problems } = parseTemplate(source, Object.keys(values));
  expect(problems).toEqual([]);
  return renderTemplate(template, { values, ...data });
}

describe('renderTemplate', () => {
  // As the documentation of text/template has it.
  it.each([
    ['x {{ .A }} y', 'x a y'],
    ['x {{- .A -}} y', 'xay'],
    ['{{ "text" }}{{ `raw\\n` }}', 'textraw\\n'],
    ['{{ printf "%s-%v-%%" .A .B }}', 'a-b "c"\n-%'],
    ['{{ printf "%q" .B }}', '"b \\"c\\"\\n"'],
    ['{{ .A | printf "%s%q" "<" }}', '<"a"'],
    ['{{ printf "%q" (printf "%q" .A) }}', '"\\"a\\""'],
    ['{{ if .A }}yes{{ else }}no{{ end }}', 'yes'],
    ['{{ if .Empty }}yes{{ else }}no{{ end }}', 'no'],
    ['{{ if .Empty }}yes{{ end }}', ''],
    ['{{ if .Empty }}1{{ else if eq .A "a" }}2{{ else }}3{{ end }}', '2'],
    ['{{ if not .Empty }}yes{{ end }}', 'yes'],
    ['{{ if and .A .Empty }}yes{{ else }}no{{ end }}', 'no'],
    ['{{ if or .Empty .A }}yes{{ else }}no{{ end }}', 'yes'],
    ['{{ and .A .B }}', 'b "c"\n'],
    ['{{ and .A .Empty .B }}', ''],
    ['{{ or .Empty .A .B }}', 'a'],
    ['{{ or .Empty "" }}', ''],
    ['{{ and .A }}{{ or .Empty }}', 'a'],
    ['{{ eq .A "x" "a" }} {{ ne .A "a" }} {{ not .A }}', 'true false false'],
    ['{{ printf "%v" (eq .A "a") }}', 'true'],
    ['{{/* nothing */}}', ''],
  ])('makes of %j', (source, expected) => {
    expect(render(source)).toBe(expected);
  });

  it('writes something else for a field, but compares its value', () => {
    const write = ({ name, offset }: { name: string; offset: number }) =>
      name === 'A' ? `<${offset}>` : undefined;
    const source = '{{ .A }} {{ printf "%s %s" .A .B }}{{ if eq .A "a" }}{{ .A }}{{ end }}';
    expect(render(source, { write })).toBe('<3> <27> b "c"\n<56>');
  });

  it('uses the given way to quote', () => {
    const quote = (text: string) => (text === 'xa' ? `[${text}]` : undefined);
    const source = '{{ printf "%q %q" (printf "x%s" .A) .A }}';
    expect(render(source, { quote, write: () => 'never' })).toBe('[xa] "a"');
  });

  it('looks only at the values that it needs', () => {
    const lazy = {
      ...values,
      get B(): string {
        throw new Error('looked at');
      },
    };
    const { template } = parseTemplate('{{ if .A }}{{ .A }}{{ else }}{{ .B }}{{ end }}', [
      'A',
      'B',
    ]);
    expect(renderTemplate(template, { values: lazy })).toBe('a');
  });
});

describe('usedFields', () => {
  it('finds fields wherever they stand', () => {
    const source =
      '.X {{ if .A }}{{ else if eq .B "x" }}{{ printf "%s" .Empty }}{{ end }}{{/* .Y */}}';
    const { template } = parseTemplate(source, Object.keys(values));
    expect([...findUsedFields(template)].toSorted()).toEqual(['A', 'B', 'Empty']);
  });
});

describe('quoteString', () => {
  // As the documentation of strconv.Quote has it.
  it.each([
    ['plain words', '"plain words"'],
    [`it's "quoted"`, `"it's \\"quoted\\""`],
    ['back\\slash', '"back\\\\slash"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\0\u001b\u007f', '"\\x00\\x1b\\x7f"'],
    ['\u00a0\u200b\ufeff', '"\\u00a0\\u200b\\ufeff"'],
    ['\u{e0001}', '"\\U000e0001"'],
    ['é 日本語 😀', '"é 日本語 😀"'],
  ])('writes %j', (text, expected) => {
    expect(quoteString(text)).toBe(expected);
  });

  it('writes what Go reads as the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseStringLiteral(quoteString(text))).toBe(text);
      }),
    );
  });
});
