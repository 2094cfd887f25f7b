import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expression, splitFormat } from './go-expression.js';
import { parseTemplate, type TemplateNode } from './go-template.js';

const fields = ['Prompt', 'File', 'URL', 'Empty'];
const values = new Map([
  ['Prompt', 'do it'],
  ['File', 'f'],
  ['URL', 'u/é'],
  ['Empty', ''],
]);

function evaluate(expression: Expression): string | boolean {
  if (expression.kind === 'field') return values.get(expression.name) ?? '';
  if (expression.kind === 'string') return expression.value;
  const [first = '', ...rest] = expression.args.map(evaluate);
  if (expression.name === 'not') return !first;
  if (expression.name === 'and')
    return [first, ...rest].find((value) => !value) ?? rest.at(-1) ?? first;
  if (expression.name === 'or')
    return [first, ...rest].find((value) => value) ?? rest.at(-1) ?? first;
  if (expression.name === 'eq') return rest.includes(first);
  if (expression.name === 'ne') return first !== rest[0];
  return splitFormat(String(first))
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return part.verb === 'q' ? JSON.stringify(rest.shift()) : String(rest.shift());
    })
    .join('');
}

function render(nodes: TemplateNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'output') return String(evaluate(node.expression));
      return render(evaluate(node.condition) ? node.then : node.otherwise);
    })
    .join('');
}

/** What is reported, as the text that the problem marks and its message. */
function problemsOf(source: string): [string, string][] {
  return parseTemplate(source, fields).problems.map(({ offset, length, message }) => [
    source.slice(offset, offset + length),
    message,
  ]);
}

describe('parseTemplate', () => {
  // Printed by text/template of Go 1.26 with the values above.
  it.each([
    ['', ''],
    ['}} } { {', '}} } { {'],
    ['claude {{ .Prompt }}', 'claude do it'],
    ['{{.Prompt}}{{.File}}', 'do itf'],
    ['{{\n.Prompt\n}}', 'do it'],
    ['a \n\t{{- .Prompt -}} \r\n b', 'ado itb'],
    ['a {{-  .Prompt }} b', 'ado it b'],
    ['a {{ .Prompt  -}} b', 'a do itb'],
    ['{{- /* note */ -}} x', 'x'],
    ['x {{/* a }} b */}} y', 'x  y'],
    ['x {{- /* a */}} y', 'x y'],
    ['{{ printf "%q" .URL }}', '"u/é"'],
    ['{{ printf "--x=%s,%v 100%%" .URL .File }}', '--x=u/é,f 100%'],
    ['{{ .Prompt | printf "%s-%s" "a" }}', 'a-do it'],
    ['{{ (printf "<%s>" .Prompt) | printf "%q" }}', '"<do it>"'],
    ['{{ printf "%v" (not .Empty) }}', 'true'],
    ['{{ "a\\tb\\"\\\\\\x41\\101\\u00e9\\U0001F600" }}', 'a\tb"\\AAé😀'],
    ['{{ "\\xe2\\x82\\xac" }}', '€'],
    ['{{ `a\\n"b}}` }}', 'a\\n"b}}'],
    ['{{ if .Prompt }}yes{{ else }}no{{ end }}', 'yes'],
    ['{{ if .Empty }}yes{{ else }}no{{ end }}', 'no'],
    ['{{if .Empty}}a{{else if eq .File "f"}}b{{else}}c{{end}}', 'b'],
    ['{{ if not .Empty -}} x {{- end }}', 'x'],
    ['{{ if and .Prompt .Empty }}a{{ end }}{{ if or .Empty .Prompt }}b{{ end }}', 'b'],
    ['{{ if eq .File "x" "f" }}a{{ end }}{{ if ne .File "f" }}b{{ end }}', 'a'],
    ['{{ if (not (eq .File "f")) }}a{{else}}{{if .URL}}b{{end}}{{end}}', 'b'],
    ['{{ or .Empty .File }}|{{ and .Prompt .URL }}|{{ not .Empty }}', 'f|u/é|true'],
  ])('reads %j as Go does', (source, output) => {
    const { template, problems } = parseTemplate(source, fields);
    expect(problems).toEqual([]);
    expect(render(template.nodes)).toBe(output);
  });

  it('keeps the place of every node', () => {
    const source = 'a \n{{- if .File }} {{ .Prompt | printf "%s" }}{{ end }}';
    const { template } = parseTemplate(source, fields);
    expect(template).toEqual({
      source,
      nodes: [
        { kind: 'text', text: 'a', offset: 0, length: 1 },
        {
          kind: 'if',
          offset: 3,
          length: 15,
          condition: { kind: 'field', name: 'File', offset: 10, length: 5 },
          // biome-ignore lint/suspicious/noThenProperty: the name of the branch
          then: [
            { kind: 'text', text: ' ', offset: 18, length: 1 },
            {
              kind: 'output',
              offset: 19,
              length: 27,
              expression: {
                kind: 'call',
                name: 'printf',
                offset: 22,
                length: 21,
                args: [
                  { kind: 'string', value: '%s', offset: 39, length: 4 },
                  { kind: 'field', name: 'Prompt', offset: 22, length: 7 },
                ],
              },
            },
          ],
          otherwise: [],
        },
      ],
    });
  });

  it.each<[string, string, string, string?]>([
    ['x {{ .Promt }}', '.Promt', 'unknown field .Promt', 'did you mean .Prompt?'],
    ['{{ .prompt }}', '.prompt', 'unknown field .prompt', 'did you mean .Prompt?'],
    [
      '{{ .Something }}',
      '.Something',
      'unknown field .Something',
      'available are .Prompt, .File, .URL, .Empty',
    ],
    ['{{-.Prompt }}', '-', 'unexpected -', expect.stringContaining('trim marker')],
    ['{{ .Prompt-}}', '-', 'unexpected -', expect.stringContaining('trim marker')],
    ['{{ /* a */ }}', '/', 'unexpected /', expect.stringContaining('comment')],
    [
      '{{ len .Prompt }}',
      'len',
      expect.stringContaining('len is not supported'),
      expect.anything(),
    ],
    ['{{ .Prompt', '{{', 'this {{ is not closed', 'add "}}"'],
  ])('says what to do about %j', (source, marked, message, hint) => {
    const { problems } = parseTemplate(source, fields);
    const offset = source.indexOf(marked, 2 * Number(marked !== '{{'));
    expect(problems).toEqual([{ offset, length: marked.length, message, hint }]);
  });

  it.each([
    ['{{ range .Prompt }}x{{ else }}y{{ end }}', 'range', '{{range}} is not supported'],
    ['{{ with .Prompt }}x{{ end }}', 'with', '{{with}} is not supported'],
    ['{{ define "a" }}x{{ end }}', 'define', '{{define}} is not supported'],
    ['{{ block "a" . }}x{{ end }}', 'block', '{{block}} is not supported'],
    ['{{ template "a" }}', 'template', '{{template}} is not supported'],
    ['{{ break }}', 'break', '{{break}} is not supported'],
    ['{{ $x }}', '$x', 'variables are not supported'],
    ['{{ $x := .Prompt }}', '$x', 'variables are not supported'],
    ['{{ .Prompt.Text }}', '.Prompt.Text', 'a chain such as .Prompt.Text is not supported'],
    ['{{ . }}', '.', 'the dot alone is not supported'],
    ['{{ html .Prompt }}', 'html', 'the function html is not supported'],
    ['{{ constructor }}', 'constructor', 'the function constructor is not supported'],
    ['{{ if true }}x{{ end }}', 'true', 'true is not supported'],
    ['{{ 12 }}', '12', '12 is not supported'],
    ["{{ 'a' }}", "'", "unexpected '"],
    ['{{ printf "%d" .Prompt }}', '"%d"', 'printf does not support %d here'],
    ['{{ printf "%5s" .Prompt }}', '"%5s"', 'printf does not support %5s here'],
    ['{{ printf "%s" }}', 'printf "%s"', 'printf has 1 verbs for 0 values'],
    ['{{ printf "x" .Prompt }}', 'printf "x" .Prompt', 'printf has 0 verbs for 1 values'],
    ['{{ printf .Prompt }}', '.Prompt', 'the format of printf must be a string'],
    ['{{ printf "%s" (not .Prompt) }}', 'not .Prompt', 'printf writes text'],
    ['{{ printf "%s" not }}', 'not', 'a call of not within a call needs parentheses'],
    ['{{ if eq (not .File) "x" }}a{{ end }}', 'not .File', 'eq compares text'],
    ['{{ if eq .File }}a{{ end }}', 'eq', 'too few arguments for eq'],
    ['{{ not .File .URL }}', 'not', 'too many arguments for not'],
    ['{{ .Prompt .File }}', '.File', 'only a function takes arguments'],
    ['{{ .Prompt | .File }}', '.File', 'a pipe must lead to a function'],
    ['{{ .Prompt | }}', '|', 'a value is missing here'],
    ['{{ | printf "%s" }}', '|', 'a value is missing here'],
    ['{{ }}', '{{ }}', 'a value is missing here'],
    ['{{ if }}x{{ end }}', '{{ if }}', 'a value is missing here'],
    ['{{ (.Prompt }}', '(', 'this ( is not closed'],
    ['{{ .Prompt) }}', ')', 'unexpected )'],
    ['{{ printf"%s" .Prompt }}', '"%s"', 'unexpected "%s"'],
    ['{{ "\\q" }}', '"\\q"', 'this string is not valid in Go'],
    ['{{ "\\ud800" }}', '"\\ud800"', 'this string is not valid in Go'],
    ['{{ "\\xff" }}', '"\\xff"', 'this string is not valid in Go'],
    ['{{ "a }}', '"', 'this string is not closed'],
    ['{{ `a }}', '`', 'this string is not closed'],
    ['{{/* a }}', '{{', 'this comment is not closed'],
    ['{{/* a */ }}', '*/', 'a comment must end in "*/}}" or "*/ -}}"'],
    ['a {{ .File {{ .Prompt }}', '{{', 'this {{ is not closed'],
    ['{{ end }}', '{{ end }}', 'this {{end}} closes nothing'],
    ['{{ else }}', '{{ else }}', 'this {{else}} belongs to no {{if}}'],
    ['{{ if .File }}', '{{ if .File }}', 'this {{if}} has no {{end}}'],
    ['{{if .File}}{{else}}{{ else }}{{end}}', '{{ else }}', 'this {{if}} has an {{else}} already'],
    ['{{if .File}}{{end constructor}}', 'constructor', 'unexpected constructor'],
  ])('refuses %j', (source, marked, message) => {
    expect(problemsOf(source)).toEqual([[marked, expect.stringContaining(message)]]);
  });

  it('collects the problems of all actions', () => {
    const source =
      '{{ .Promt }}{{ if $x }}{{ .A.B }}{{ else if .Fil }}{{ len }}{{ end }}{{ .File }}';
    expect(problemsOf(source).map(([marked]) => marked)).toEqual([
      '.Promt',
      '$x',
      '.A.B',
      '.Fil',
      'len',
    ]);
  });

  it('bounds the nesting', () => {
    const nested = (depth: number) => '{{ if .File }}'.repeat(depth) + '{{ end }}'.repeat(depth);
    const chain = `{{ if .File }}${'{{ else if .URL }}'.repeat(60)}{{ end }}`;
    const brackets = `{{ ${'('.repeat(51)}.File${')'.repeat(51)} }}`;
    expect(problemsOf(nested(50))).toEqual([]);
    expect(problemsOf(nested(51))).toHaveLength(1);
    expect(problemsOf(chain)).toHaveLength(1);
    expect(problemsOf(brackets)).toHaveLength(1);
  });

  it('survives long input', () => {
    const long = 100_000;
    const pieces = [
      '{{',
      '{{ if .File }}',
      '{{ .File | ',
      '{{- ',
      '{{"\\"}}',
      '`',
      '{{/*',
      '((',
      ' \n',
    ];
    for (const piece of pieces) {
      expect(() => parseTemplate(piece.repeat(long), fields)).not.toThrow();
      expect(() => parseTemplate(`{{ ${piece.repeat(long)}`, fields)).not.toThrow();
    }
    expect(problemsOf(`{{ and ${'.File '.repeat(long)}}}`)).toEqual([]);
  });

  it('never throws, and marks only what is there', () => {
    const parts = [
      ...[
        '{{',
        '}}',
        '{{- ',
        ' -}}',
        '{{/*',
        '*/}}',
        '.Prompt',
        '.File',
        '.',
        '$x',
        '"a"',
        '"',
        '`',
      ],
      ...[
        'printf',
        '"%q"',
        'not',
        'eq',
        '|',
        '(',
        ')',
        ' ',
        '\n',
        'if ',
        'else',
        'end',
        '\\',
        'range',
      ],
      ...['{{ if .File }}', '{{ else }}', '{{ end }}', '{{ .Prompt }}', 'é', '😀', '\ud800'],
    ];
    const source = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary' })));
    fc.assert(
      fc.property(source, (fragments) => {
        const text = fragments.join('');
        const { template, problems } = parseTemplate(text, fields);
        for (const { offset, length } of [...problems, ...template.nodes]) {
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(length).toBeGreaterThan(0);
          expect(offset + length).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
